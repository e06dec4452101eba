/** Hears of each look into a cache, by the cache's name, and whether the thing was there. */
export type CountLook = (cache: string, found: boolean) => void
