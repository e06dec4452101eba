/**
 * Process that renders photos of demo products. make-photos.ts starts it with the products' positions
 * in the catalogue as arguments, and receives each photo as a message. Rendering takes 200 MB that the
 * allocator would keep; here they are returned when the process ends.
 */
import { constants, setPriority } from 'node:os'
import { makeVariants, type PictureVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { newestFirst } from './catalogue.ts'
import { renderPhoto } from './photo.ts'

/** Message to the parent: the photo of the product at this position in the catalogue. */
export type RenderedPhoto = { index: number; photo: PictureVariants }

/** One for each core of a small machine; sharp uses threads of its own. */
const CONCURRENCY = 2

const send = (rendered: RenderedPhoto) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(rendered, (error: Error | null) => (error ? reject(error) : resolve()))
  })

const products = newestFirst()
const [, , ...positions] = process.argv
const queue = positions.map(Number).values()

async function renderQueue() {
  for (const index of queue) {
    const shelved = products[index]
    if (!shelved) throw new Error(`The catalogue has no product ${index}.`)
    const { category, product } = shelved
    const photo = await makeVariants(await renderPhoto(product.emoji, category.palette))
    await send({ index, photo })
  }
}

// requests of the open shop have priority
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// the worker ends with the shop; Ctrl-C reaches this process, too, and is ignored
process.once('disconnect', () => process.exit()).on('SIGINT', () => {})
await Promise.all(Array.from({ length: CONCURRENCY }, renderQueue))
process.disconnect()
