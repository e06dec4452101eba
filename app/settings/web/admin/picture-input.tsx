import { useId, useState } from 'react'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import type { Picture } from '#app/shared/contract/public-settings.ts'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { useProblem } from '#app/shared/web/form/problem.ts'
import { toast } from '#app/shared/web/toast.tsx'

/** Uploads a picture; throws `CallFailure`. */
export const uploadPicture = (photo: File) =>
  call(settingsAdminCalls.uploadPicture, { body: {}, photo })

type Props = {
  label: string
  hint?: string
  /** The field of its problems. */
  name: string
  onUploaded: (picture: Picture) => void
}

const LIMIT = PHOTO_LIMITS.bytes / 2 ** 20

/** Chooses and uploads a picture. What is refused is said below, and the present picture stays. */
export function PictureInput({ label, name, hint = '', onUploaded }: Props) {
  const id = useId()
  const problem = useProblem(name)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const upload = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (!file) return
    setBusy(true)
    setFailure(null)
    try {
      const { message, picture } = await uploadPicture(file)
      onUploaded(picture)
      toast.success(message)
    } catch (error) {
      setFailure(messageOf(error, 'The picture could not be uploaded.'))
    } finally {
      // the same file may be chosen again
      input.value = ''
      setBusy(false)
    }
  }
  const message = failure ?? problem.message
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <input
        id={id}
        name={name}
        type="file"
        accept="image/*"
        disabled={busy}
        aria-invalid={message !== null}
        aria-describedby={`${id}-hint${message ? ` ${id}-problem` : ''}`}
        onChange={({ currentTarget }) => void upload(currentTarget)}
        className="block w-full text-sm file:btn file:btn-sm file:me-3"
      />
      <p id={`${id}-hint`} role="status" className="text-base-content/75 text-sm">
        {busy ? 'Uploading …' : `JPEG, PNG, WebP, AVIF or GIF, up to ${LIMIT} MB. ${hint}`}
      </p>
      {message && (
        <p id={`${id}-problem`} role="alert" className="font-semibold text-error text-sm">
          {message}
        </p>
      )}
    </div>
  )
}
