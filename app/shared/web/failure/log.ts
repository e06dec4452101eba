/** Logs to the browser's console (spec §8: logged only). */
export const log = (error: unknown) => console.warn(error)
