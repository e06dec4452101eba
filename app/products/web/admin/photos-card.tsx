import { type DragEvent, useRef } from 'react'
import { ConfirmButton } from '#app/back-office/kit/dialog-button.tsx'
import { Field, Select } from '#app/back-office/kit/fields.tsx'
import { PhotosField } from '#app/back-office/kit/files.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import { type DetailedProduct, photoUrl, type ShownPhoto } from '#app/products/contract.ts'
import { ALT_LENGTH, MAX_PHOTOS } from '#app/products/photo-contract.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { FAILED, usePhotos } from './use-photos.ts'

const moved = (photos: ShownPhoto[], id: string, to: number) => {
  const at = photos.findIndex(({ _id }) => _id === id)
  const [photo] = photos.slice(at, at + 1)
  return photo ? photos.toSpliced(at, 1).toSpliced(to, 0, photo) : photos
}

/** The photos of a product: each change is saved at once. */
export function PhotosCard({ product }: { product: DetailedProduct }) {
  const { photos, photoOf, uploads, save, change, upload, dismiss } = usePhotos(product)
  // read by the next event, before the card is rendered again
  const dragged = useRef<string | null>(null)
  const drop = (event: DragEvent, to: number) => {
    const { current: id } = dragged
    if (id === null) return
    event.preventDefault()
    void change((now) => moved(now, id, to))
  }
  return (
    <Card title="Photos">
      <p className="text-base-content/75 text-sm">
        Up to {MAX_PHOTOS}; the first one is shown in lists. Changes here are saved at once.
      </p>
      <ol aria-label="Photos" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {photos.map((photo, at) => (
          <li
            key={photo._id}
            draggable
            onDragStart={() => {
              dragged.current = photo._id
            }}
            onDragEnd={() => {
              dragged.current = null
            }}
            onDragOver={(event) => dragged.current && event.preventDefault()}
            onDrop={(event) => drop(event, at)}
            className="min-w-0 space-y-2 rounded-box border border-base-300 p-3"
          >
            <img
              src={photoUrl(photo, 320)}
              alt={photo.alt ?? `Photo ${at + 1}`}
              loading="lazy"
              draggable={false}
              className="h-40 w-full cursor-move bg-base-200 object-contain"
            />
            <PhotoButtons
              at={at}
              count={photos.length}
              move={(to) => void change((now) => moved(now, photo._id, to))}
              remove={() => save((now) => now.filter(({ _id }) => _id !== photo._id))}
            />
            <AltText
              photo={photo}
              at={at}
              save={(alt) =>
                void change((now) =>
                  now.map((one) => (one._id === photo._id ? { ...one, alt } : one)),
                )
              }
            />
            {product.variants && (
              <ShownFor
                product={product}
                at={at}
                shown={[...photoOf].flatMap(([id, one]) => (one === photo._id ? [id] : []))}
                choose={(variants) => void change((now) => now, { photo: photo._id, variants })}
              />
            )}
          </li>
        ))}
      </ol>
      <PhotosField uploads={uploads} onChoose={upload} onDismiss={dismiss} />
    </Card>
  )
}

type ButtonsProps = {
  at: number
  count: number
  move: (to: number) => void
  remove: () => Promise<{ message: string }>
}

function PhotoButtons({ at, count, move, remove }: ButtonsProps) {
  const which = <span className="sr-only"> photo {at + 1}</span>
  const button = (label: string, to: number, reason: string) => (
    <ReasonButton
      reason={to < 0 || to >= count ? reason : null}
      onClick={() => move(to)}
      className="btn-sm"
    >
      {label}
      {which}
    </ReasonButton>
  )
  return (
    <div className="flex flex-wrap gap-2">
      {button('Move earlier', at - 1, 'It is the first photo.')}
      {button('Move later', at + 1, 'It is the last photo.')}
      <ConfirmButton
        label={<>Remove{which}</>}
        title={`Remove photo ${at + 1}?`}
        action="Remove photo"
        deletes
        run={remove}
        failed={FAILED}
      >
        It is deleted from the shop. This cannot be undone.
      </ConfirmButton>
    </div>
  )
}

type AltProps = { photo: ShownPhoto; at: number; save: (alt: string) => void }

/** The alternative text, which is saved by Enter or by leaving the field. */
const AltText = ({ photo: { alt = '' }, at, save }: AltProps) => (
  <Field
    key={alt}
    label={`Text of photo ${at + 1}`}
    hint="What it shows, for people who do not see it."
    defaultValue={alt}
    maxLength={ALT_LENGTH}
    onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    onBlur={({ target }) => target.value.trim() !== alt && save(target.value.trim())}
  />
)

type ShownForProps = {
  product: DetailedProduct
  at: number
  /** The ids of the variants with this photo. */
  shown: string[]
  choose: (variants: string[]) => void
}

/** The value of an option with which a photo is shown, such as a colour. */
function ShownFor({ product: { options = [], variants = [] }, at, shown, choose }: ShownForProps) {
  const choices = options.flatMap(({ name, values }, option) =>
    values.map((value, place) => ({
      value: `${option}.${place}`,
      label: `${name}: ${value.name}`,
      ids: variants.flatMap(({ _id, values }) => (values[option] === place ? [_id] : [])),
    })),
  )
  const chosen = choices.find(
    ({ ids }) => ids.length === shown.length && ids.every((id) => shown.includes(id)),
  )
  const isMixed = !chosen && shown.length > 0
  return (
    <Select
      label={`Photo ${at + 1} is shown for`}
      name={`shown-for-${at}`}
      value={isMixed ? 'some' : (chosen?.value ?? '')}
      options={[
        { value: '', label: 'No choice of its own' },
        ...(isMixed ? [{ value: 'some', label: 'Some variants' }] : []),
        ...choices.map(({ value, label }) => ({ value, label })),
      ]}
      onChange={({ target }) => {
        if (target.value !== 'some')
          choose(choices.find(({ value }) => value === target.value)?.ids ?? [])
      }}
    />
  )
}
