/**
 * Started by take-photos.ts as a process of its own, with the places of products in the catalogue:
 * takes their photos and tells of each. Painting takes 200 MB that the allocator would keep, and
 * here they go with the process.
 */
import { constants, setPriority } from 'node:os'
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

const products = newestFirst()
const [, , ...wanted] = process.argv
const queue = wanted.map(Number).values()

async function work() {
  for (const index of queue) {
    const shelved = products[index]
    if (!shelved) throw new Error(`The catalogue has no product ${index}.`)
    const { category, product } = shelved
    const photo = await makePhotoVariants(await takePhoto(product.emoji, category.palette))
    await tell({ index, photo })
  }
}

// visitors of the open shop come first
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// when the shop is stopped meanwhile, nobody needs the rest; Ctrl-C tells this process, too
process.once('disconnect', () => process.exit()).on('SIGINT', () => {})
await Promise.all(Array.from({ length: AT_A_TIME }, work))
process.disconnect()
