import { use, useState } from 'react'
import { Field, HiddenValue } from '#app/back-office/kit/fields.tsx'
import { FileField, PICTURE_RULE } from '#app/back-office/kit/files.tsx'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { accentProblem } from '#app/settings/model.ts'
import { DEFAULT_ACCENT } from '#app/settings/theme-model.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { pictureOf } from '../slides.ts'

type Props = {
  label: string
  name: string
  hint: string
  /** The id of the picture at first; empty for none. */
  picture: string
  alt: string
  className: string
  /** The label of a button that removes the picture. */
  remove?: string
}

const UPLOADING = 'Uploading …'

/** Chooses and uploads a picture. What is refused is said below, and the present picture stays. */
export function PictureField({ label, name, hint, picture, alt, className, remove }: Props) {
  const { mend } = use(FormProblems)
  const [id, setId] = useState(picture)
  const [status, setStatus] = useState<string | null>(null)
  const upload = async (input: HTMLInputElement) => {
    const [photo] = input.files ?? []
    if (!photo) return
    setStatus(UPLOADING)
    try {
      const { message, picture } = await call(settingsAdminCalls.uploadPicture, { body: {}, photo })
      setId(picture.id)
      toast.success(message)
      setStatus(null)
    } catch (error) {
      const failure = messageOf(error, 'The picture could not be uploaded.')
      toast.error(failure)
      setStatus(failure)
    } finally {
      // the same file may be chosen again
      input.value = ''
    }
  }
  return (
    <div className="space-y-3">
      {/* before the file, whose entry in the form has the same name */}
      <HiddenValue name={name} value={id} />
      {id !== '' && <img src={pictureOf({ picture: id }).src} alt={alt} className={className} />}
      <FileField
        label={label}
        name={name}
        accept="image/*"
        disabled={status === UPLOADING}
        hint={status ?? `${PICTURE_RULE}. ${hint}`}
        onChange={({ currentTarget }) => void upload(currentTarget)}
      />
      {remove && id !== '' && (
        <button
          type="button"
          className="btn btn-sm"
          onClick={() => {
            setId('')
            mend(name)
          }}
        >
          {remove}
        </button>
      )}
    </div>
  )
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

type AccentProps = { label: string; name: string; accent: string }

/** The accent colour as a text, and chosen. */
export function AccentField({ accent: begun, ...field }: AccentProps) {
  const [accent, setAccent] = useState(begun)
  return (
    <>
      <Field
        {...field}
        hint={
          // checked while it is chosen: the preview shows no colour that is refused
          accentProblem(accent.trim()) ??
          'The colours of the light and the dark theme are derived from it.'
        }
        value={accent}
        onChange={({ target }) => setAccent(target.value)}
      />
      <Field
        label="Choose the accent colour"
        type="color"
        value={isColour(accent) ? accent.toLowerCase() : DEFAULT_ACCENT}
        onChange={({ target }) => setAccent(target.value)}
      />
    </>
  )
}
