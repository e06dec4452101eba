import { useRef, useState } from 'react'
import {
  type Settings,
  type SettingsFile,
  settingsAdminCalls,
} from '#app/settings/admin-contract.ts'
import { problemsOf, settingsIn } from '#app/settings/model.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { messageOf } from '#app/shared/web/call.ts'
import { useDownload } from '#app/shared/web/transfer.ts'
import { uploadPicture } from './picture-input.tsx'
import { Section } from './section.tsx'

const NO_FILE = 'This file is no export of settings.'

/**
 * Reads a file; null when it is no export. Settings that a file of an older version does not have stay as
 * they are. Values are checked when the form is saved.
 */
function parseFile(text: string, present: Settings): SettingsFile | null {
  try {
    const { settings: given, ...file }: SettingsFile = JSON.parse(text)
    const settings = { ...present, ...given }
    // throws for a setting of another type
    problemsOf(settings)
    const isWhole =
      file.format === 'haat-settings' &&
      given instanceof Object &&
      Array.isArray(file.pictures) &&
      settings.slides.every(({ picture }) => typeof picture === 'string')
    return isWhole ? { ...file, settings } : null
  } catch {
    return null
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))

/** Stores the pictures of a file in this shop, but for those that it uses. */
function takePictures(file: SettingsFile, { logo, slides }: Settings): Promise<Settings> {
  const used = [logo, ...slides.map(({ picture }) => picture)]
  return settingsIn(file, async ({ id, data }) => {
    if (used.includes(id)) return id
    const photo = new File([bytesOf(data)], id, { type: 'image/webp' })
    return (await uploadPicture(photo)).picture.id
  })
}

type Props = { settings: Settings; onRead: (settings: Settings) => void }

/** Exports the saved settings as a file, and fills the form from one. */
export function SettingsFileForm({ settings, onRead }: Props) {
  const { busy, download } = useDownload(settingsAdminCalls.exportSettings)
  const input = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState<{ text: string; isProblem: boolean } | null>(null)
  const showMessage = (text: string, isProblem = false) => setMessage({ text, isProblem })
  const read = async () => {
    const [file] = input.current?.files ?? []
    if (!file) return
    showMessage('Reading the file. When it is read, it replaces what the form has.')
    try {
      const parsed = parseFile(await file.text(), settings)
      if (!parsed) return showMessage(NO_FILE, true)
      onRead(await takePictures(parsed, settings))
      showMessage('The form has the settings of the file. Save to use them.')
    } catch (error) {
      showMessage(messageOf(error, 'The file could not be read.'), true)
    } finally {
      if (input.current) input.current.value = ''
    }
  }
  return (
    <Section title="Export and import">
      <p>All settings with their pictures as one file, for another shop or for safekeeping.</p>
      <div className="flex flex-wrap items-end gap-4">
        <BusyButton type="button" busy={busy} onClick={download} className="btn-sm">
          Export settings
        </BusyButton>
        <label className="space-y-1.5 text-sm">
          <span className="block font-medium">Import settings</span>
          <input
            ref={input}
            type="file"
            accept="application/json,.json"
            onChange={() => void read()}
            className="block w-full file:btn file:btn-sm file:me-3"
          />
        </label>
      </div>
      {message && (
        <p role="status" className={message.isProblem ? 'font-semibold text-error' : undefined}>
          {message.text}
        </p>
      )}
    </Section>
  )
}
