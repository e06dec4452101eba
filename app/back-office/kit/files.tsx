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

function Hint({ file }: { file: File | undefined }) {
  const tooLarge = file && file.size > PHOTO_LIMITS.bytes
  return (
    <p
      id="photo-hint"
      role="status"
      className={tooLarge ? 'font-semibold text-error' : 'text-base-content/75'}
    >
      {tooLarge
        ? `This photo has ${(file.size / MEGABYTE).toFixed(1)} MB; the limit is ${LIMIT}.`
        : `JPEG, PNG, WebP, AVIF or GIF, up to ${LIMIT}.`}
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
