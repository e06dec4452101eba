/**
 * Started by take-photos.ts as a process of its own: takes every photo of the catalogue and tells
 * of each. Painting takes 200 MB that the allocator would keep, and here they go with the process.
 */
import {
  makePhotoVariants,
  type PhotoVariants,
} from '#app/products/server/photos/photo-variants.ts'
import { newestFirst } from './catalogue.ts'
import { takePhoto } from './photo.ts'

/** What it tells: the photo of the product at `index`. */
export type Developed = { index: number; photo: PhotoVariants }

/** One for each core of a small machine; sharp works in threads of its own. */
const AT_A_TIME = 2

const tell = (developed: Developed) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(developed, (error: Error | null) => (error ? reject(error) : resolve()))
  })

const queue = newestFirst().entries()

async function work() {
  for (const [index, { category, product }] of queue) {
    const photo = await makePhotoVariants(await takePhoto(product.emoji, category.palette))
    await tell({ index, photo })
  }
}

// when the shop is stopped meanwhile, nobody needs the rest
process.once('disconnect', () => process.exit())
await Promise.all(Array.from({ length: AT_A_TIME }, work))
process.disconnect()
