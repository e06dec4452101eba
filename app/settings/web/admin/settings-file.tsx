import { DownloadButton } from '#app/back-office/download-button.tsx'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { FileField } from '#app/back-office/kit/files.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import {
  type Settings,
  type SettingsFile as SettingsFileContents,
  settingsAdminCalls,
} from '#app/settings/admin-contract.ts'
import { problemsOf, settingsIn } from '#app/settings/model.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { PasswordField } from './password-field.tsx'

/** The contents of an export, null of another file. Settings that an older version does not have stay. */
function parseFile(text: string, present: Settings): SettingsFileContents | null {
  try {
    const file: SettingsFileContents = JSON.parse(text)
    const settings = { ...present, ...file.settings }
    // throws for a setting of another type
    problemsOf(settings)
    return file.format === 'haat-settings' && Array.isArray(file.pictures) && file.settings
      ? { ...file, settings }
      : null
  } catch {
    return null
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))

/** Stores the pictures of a file in this shop, but for those that it uses. */
function takePictures(file: SettingsFileContents, { logo, slides }: Settings): Promise<Settings> {
  const used = [logo, ...slides.map(({ picture }) => picture)]
  return settingsIn(file, async ({ id, data }) => {
    if (used.includes(id)) return id
    const photo = new File([bytesOf(data)], id, { type: 'image/webp' })
    return (await call(settingsAdminCalls.uploadPicture, { body: {}, photo })).picture.id
  })
}

type Saved = { revision: number; settings: Settings }

/** Exports the saved settings as a file, and replaces them by those of one. Connections are not in it. */
export const SettingsFile = (saved: Saved) => (
  <Card title="Export and import">
    <p>All settings with their pictures as one file, for another shop or for safekeeping.</p>
    <div className="flex flex-wrap gap-2">
      <DownloadButton endpoint={settingsAdminCalls.exportSettings} className="btn-sm">
        Export settings
      </DownloadButton>
      <DialogButton dialog={<ImportDialog {...saved} />}>Import settings</DialogButton>
    </div>
  </Card>
)

const ImportDialog = ({ revision, settings: present }: Saved) => (
  <FormDialog
    title="Import settings"
    action="Replace"
    failed="The settings could not be replaced."
    save={async (field, form) => {
      const chosen = form.get('file')
      const file = parseFile(chosen instanceof File ? await chosen.text() : '', present)
      const message = 'This file is no export of settings.'
      if (!file) throw new CallFailure(400, { message, fields: [{ field: 'file', message }] })
      const settings = await takePictures(file, present)
      return call(settingsAdminCalls.saveSettings, {
        body: { revision, settings, password: field('password') },
      })
    }}
  >
    <p>All settings become those of the file. Export the present ones first to keep them.</p>
    <FileField label="File" name="file" accept="application/json,.json" />
    <PasswordField why="Needed where the file changes how customers pay without a provider." />
  </FormDialog>
)
