/** The limits of an uploaded picture. */
export const PHOTO_LIMITS = { bytes: 10 * 1024 * 1024, pixels: 50_000_000 }

/** The stored widths of a photo, in pixels. */
export const PHOTO_WIDTHS = [320, 640, 1280] as const
