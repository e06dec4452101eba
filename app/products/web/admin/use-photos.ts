import { useRef, useState } from 'react'
import { tooLarge, type Upload } from '#app/back-office/kit/files.tsx'
import { type DetailedProduct, productCalls, type ShownPhoto } from '#app/products/contract.ts'
import { type PhotoEdit, photoCalls } from '#app/products/photo-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { callWithProgress } from '#app/shared/web/transfer.ts'

const sentOf = (photos: ShownPhoto[]) => photos.map(({ _id, alt = '' }) => ({ _id, alt }))

/** The photos of a product, and for each variant the id of its photo. */
const stateOf = ({ photos = [], variants = [] }: DetailedProduct) => ({
  photos,
  photoOf: new Map(
    variants.flatMap(({ _id, photo }): [string, string][] => {
      const shown = photo === undefined ? undefined : photos[photo]
      return shown ? [[_id, shown._id]] : []
    }),
  ),
})

/** Shown when a failure has no message of the server's. */
export const FAILED = 'The photos could not be saved.'

let keys = 0

type Added = { photos: ShownPhoto[]; message: string }

/** Uploads photos of a product one after the other, so that they keep their order. */
function useUploads(id: string, inTurn: (task: () => Promise<Added>) => Promise<Added>) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const dismiss = (key: string) => setUploads((all) => all.filter((one) => one.key !== key))
  const send = async (file: File, key: string) => {
    const note = (now: Partial<Upload>) =>
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...now } : one)))
    const call = callWithProgress((share) => note({ share }))
    try {
      const { message } = await inTurn(() =>
        call(photoCalls.addPhoto, { params: { id }, body: {}, photo: file }),
      )
      dismiss(key)
      return message
    } catch (error) {
      note({ problem: messageOf(error, 'The photo could not be uploaded.') })
      return undefined
    }
  }
  const upload = async (files: File[]) => {
    const begun = files.map((file) => ({ file, key: `${++keys}`, problem: tooLarge(file) }))
    setUploads((all) => [
      ...all.filter(({ problem }) => problem === null),
      ...begun.map(({ file: { name }, key, problem }) => ({ key, name, share: 0, problem })),
    ])
    const sending = begun.flatMap(({ file, key, problem }) => (problem ? [] : [send(file, key)]))
    const messages = (await Promise.all(sending)).filter((message) => message !== undefined)
    const [only, ...others] = messages
    if (only) toast.success(others.length > 0 ? `${messages.length} photos added.` : only)
  }
  return { uploads, upload, dismiss }
}

/** The photos of a product, with its changes, which are saved at once and one after the other. */
export function usePhotos(product: DetailedProduct) {
  const { _id: id, slug } = product
  const [state, setState] = useState(() => stateOf(product))
  const stored = useRef(state)
  const queue = useRef(Promise.resolve())
  const show = (now: Partial<typeof state>) => {
    stored.current = { ...stored.current, ...now }
    setState(stored.current)
  }
  const inTurn = <Result>(task: () => Promise<Result>) => {
    const turn = queue.current.then(task)
    queue.current = turn.then(
      () => {},
      () => {},
    )
    return turn
  }
  const readAgain = async () => {
    const found = await call(productCalls.getProduct, { params: { slug } }).catch(() => null)
    if (found) show(stateOf(found.product))
  }
  /** Saves what the function makes of the photos. After a failure the stored ones are shown. */
  const save = (edit: (photos: ShownPhoto[]) => ShownPhoto[], shownFor?: PhotoEdit['shownFor']) =>
    inTurn(async () => {
      const { photos: from, photoOf } = stored.current
      const body = { from: sentOf(from), to: sentOf(edit(from)), ...(shownFor && { shownFor }) }
      const saving = call(photoCalls.savePhotos, { params: { id }, body })
      const { photos, message } = await saving.catch(async (error) => {
        await readAgain()
        throw error
      })
      const others = [...photoOf].filter(([, photo]) => photo !== shownFor?.photo)
      const chosen = shownFor?.variants.map((one): [string, string] => [one, shownFor.photo]) ?? []
      show({ photos, photoOf: new Map([...others, ...chosen]) })
      return { message }
    })
  const change = (...edit: Parameters<typeof save>) =>
    save(...edit).then(
      ({ message }) => toast.success(message),
      (error) => toast.error(messageOf(error, FAILED)),
    )
  const uploading = useUploads(id, (task) =>
    inTurn(async () => {
      const added = await task()
      show({ photos: added.photos })
      return added
    }),
  )
  return { ...state, ...uploading, save, change }
}
