/** Tells who looks into the browser's console, and nobody else (spec §8: logged only). */
export const log = (error: unknown) => console.warn(error)
