import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PhotoVariants } from '#app/products/server/photos/photo-variants.ts'
import { newestFirst } from './catalogue.ts'
import type { Developed } from './darkroom.ts'

/** Told after each photo how many are done, and of how many. */
export type Progress = (done: number, total: number) => void

const DARKROOM = fileURLToPath(new URL('./darkroom.ts', import.meta.url))

/** Takes the photo of every product, in the order of `newestFirst`. Throws when one is missing. */
export async function takePhotos(progress: Progress): Promise<PhotoVariants[]> {
  const total = newestFirst().length
  const photos: PhotoVariants[] = []
  let done = 0
  const darkroom = fork(DARKROOM, { serialization: 'advanced', execArgv: [] })
  darkroom.on('message', ({ index, photo }: Developed) => {
    photos[index] = photo
    done += 1
    progress(done, total)
  })
  await once(darkroom, 'disconnect')
  if (done < total)
    throw new Error('The photos of the demo could not be made; DEMO=off does without.')
  return photos
}
