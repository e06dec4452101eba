/** Fields for files. */
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { Labelled, ProblemText } from '#app/shared/web/form/labelled.tsx'
import { useProblem } from '#app/shared/web/form/problem.ts'
import type { Field } from './fields.tsx'

/** A file to choose. */
export const FileField = ({
  label,
  hint,
  ...input
}: Omit<ComponentProps<typeof Field>, 'unit'>) => (
  <Labelled label={label} name={input.name} hint={hint}>
    {(id, problem) => (
      <input id={id} type="file" className="file-input w-full" {...problem} {...input} />
    )}
  </Labelled>
)

const MEGABYTE = 1024 * 1024
const LIMIT = `${PHOTO_LIMITS.bytes / MEGABYTE} MB`

/** What a picture may be. */
export const PICTURE_RULE = `JPEG, PNG, WebP, AVIF or GIF, up to ${LIMIT}`

/** Selects one picture, by a file dialog or by drag and drop, and previews it. */
export function PhotoField({ present }: { present?: string }) {
  const problem = useProblem('photo', 'photo-hint')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const choose = (file: File | undefined) =>
    setChosen(file ? { file, url: URL.createObjectURL(file) } : null)
  const file = chosen?.file
  const shown = chosen?.url ?? present
  const change = file ? 'Choose another' : 'Change the photo'
  const action = shown ? change : 'Choose a photo or drop it here'
  const remove = () => {
    if (input.current) input.current.value = ''
    choose(undefined)
  }
  return (
    <div className="space-y-2">
      {/* the input covers the whole area, so that it receives dropped files */}
      <div className="relative grid aspect-3/2 place-items-center overflow-hidden rounded-box border border-base-content/60 border-dashed bg-base-200 focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2 hover:border-primary">
        {shown ? (
          <Preview key={shown} src={shown} name={file?.name} />
        ) : (
          <p className="px-6 text-center">
            <span className="font-semibold">Choose a photo</span> or drop it here
          </p>
        )}
        {shown && (
          <span className="badge badge-neutral absolute right-3 bottom-3 rounded-full">
            {action}
          </span>
        )}
        <input
          ref={input}
          type="file"
          name="photo"
          accept="image/*"
          aria-label={`Photo: ${action}`}
          {...problem.props}
          onChange={({ target }) => choose(target.files?.[0])}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </div>
      <div className="flex items-start justify-between gap-3 text-sm">
        <Hint file={file} />
        {file && (
          <button type="button" onClick={remove} className="link shrink-0">
            Remove
          </button>
        )}
      </div>
      <ProblemText {...problem} />
    </div>
  )
}

/** A picture that is being uploaded: the share that was sent, or why it was refused. */
export type Upload = { key: string; name: string; share: number; problem: string | null }

type PhotosProps = {
  uploads: Upload[]
  onChoose: (files: File[]) => void
  onDismiss: (key: string) => void
}

/** Selects several pictures, by a file dialog or by drag and drop, and shows the progress of each. */
export function PhotosField({ uploads, onChoose, onDismiss }: PhotosProps) {
  return (
    <div className="space-y-2">
      <div className="relative grid min-h-24 place-items-center rounded-box border border-base-content/60 border-dashed bg-base-200 px-6 text-center focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2 hover:border-primary">
        <p>
          <span className="font-semibold">Choose photos</span> or drop them here
        </p>
        <input
          type="file"
          multiple
          accept="image/*"
          aria-label="Choose photos or drop them here"
          aria-describedby="photos-hint"
          onChange={({ target }) => {
            onChoose([...(target.files ?? [])])
            // the same file may be chosen again
            target.value = ''
          }}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </div>
      <p id="photos-hint" className="text-base-content/75 text-sm">
        {PICTURE_RULE} each.
      </p>
      <div role="status">
        <ul aria-label="Uploads" className="wrap-anywhere space-y-1 text-sm">
          {uploads.map(({ key, name, share, problem }) => (
            <li key={key}>
              {problem === null ? (
                <label className="flex items-center gap-3">
                  <span className="min-w-0 flex-1">{name}</span>
                  <progress max={1} value={share} className="h-2 w-40" />
                </label>
              ) : (
                <>
                  <span className="font-semibold text-error">
                    {name}: {problem}
                  </span>{' '}
                  <button type="button" onClick={() => onDismiss(key)} className="link">
                    Dismiss
                  </button>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Why a picture is too large to be sent; null when it is not. */
export const tooLarge = ({ size }: File) =>
  size > PHOTO_LIMITS.bytes
    ? `This photo has ${(size / MEGABYTE).toFixed(1)} MB; the limit is ${LIMIT}.`
    : null

function Hint({ file }: { file: File | undefined }) {
  const problem = file ? tooLarge(file) : null
  return (
    <p
      id="photo-hint"
      role="status"
      className={problem ? 'font-semibold text-error' : 'text-base-content/75'}
    >
      {problem ?? `${PICTURE_RULE}.`}
    </p>
  )
}

/** The picture, or its file name when the browser cannot display it. */
function Preview({ src, name = 'The photo' }: { src: string; name?: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) {
    return <p className="wrap-anywhere px-6 text-center">{name} cannot be shown.</p>
  }
  return (
    <img
      src={src}
      alt={name}
      onError={() => setBroken(true)}
      className="absolute inset-0 size-full object-contain"
    />
  )
}
