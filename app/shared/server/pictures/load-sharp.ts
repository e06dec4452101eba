/**
 * Loads sharp with the first picture, so that the shop starts without it. One thread per operation
 * and no cache keep its memory small.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
