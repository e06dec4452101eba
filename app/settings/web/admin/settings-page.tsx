import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { EditConflict } from '#app/back-office/edit-conflict.tsx'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { SETTINGS_ID, type Settings, settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { accentProblem, problemsOf } from '#app/settings/model.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { type ShippingZone, shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import type { Route } from './+types/settings-page.ts'
import { PaymentMethodFields } from './payment-method-fields.tsx'
import { useDraft } from './settings-draft.ts'
import { SettingsFileForm } from './settings-file.tsx'
import { ContactFields, DisplayFields, ShopFields, ThemeFields } from './shop-fields.tsx'
import { ShopPreview } from './shop-preview.tsx'
import { SlideFields } from './slide-fields.tsx'
import { TextFields } from './text-fields.tsx'

export function clientLoader({ context }: Route.ClientLoaderArgs) {
  const call = context.get(callContext)
  const loading = Promise.all([
    call(settingsAdminCalls.getAllSettings),
    call(shippingAdminCalls.getZones),
  ])
  return loadOrToast(
    loading.then(([saved, { zones }]) => ({ saved, zones })),
    'The settings could not be loaded.',
  )
}

/** The settings of the shop, with a preview beside the form. */
export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLastLoaded(loaderData)
  if (!loaded) return <NotLoaded />
  return (
    <BackOfficePage title="Settings" tools={<HistoryLink object={SETTINGS_ID} />}>
      {/* the editor keeps what it was opened with: a later load does not change it */}
      <SettingsEditor loaded={loaded.saved} zones={loaded.zones} />
    </BackOfficePage>
  )
}

type Saved = { revision: number; settings: Settings }

const isSame = (one: Settings, other: Settings) => JSON.stringify(one) === JSON.stringify(other)

/** The form of all settings, and its preview. A save never overwrites another admin's. */
function SettingsEditor({ loaded, zones }: { loaded: Saved; zones: ShippingZone[] }) {
  const [saved, setSaved] = useState(loaded)
  // fields that keep what is typed begin anew when the settings are replaced
  const [times, setTimes] = useState(0)
  const [stale, setStale] = useState<CallFailure | null>(null)
  const draft = useDraft(loaded.settings)
  const { settings } = draft
  const { revalidate } = useRevalidator()
  const save = async () => {
    const fields = problemsOf(settings)
    if (fields[0]) throw new CallFailure(400, { message: fields[0].message, fields })
    const body = { revision: saved.revision, settings }
    try {
      const { message, revision } = await call(settingsAdminCalls.saveSettings, { body })
      setSaved({ revision, settings })
      toast.success(message)
    } catch (error) {
      if (!(error instanceof CallFailure && error.code === 'stale')) throw error
      return setStale(error)
    }
    // the frame of this page shows the settings, too
    await revalidate()
  }
  const submit = useSubmit(save, {
    failed: 'The settings could not be saved.',
    refused: revalidate,
    atFieldOnly: true,
  })
  // a colour is checked while it is chosen: the preview shows no colour that is refused
  const message = accentProblem(settings.accent)
  const ofAccent = message === null ? [] : [{ field: 'accent', message }]
  const fill = (settings: Settings) => {
    draft.replace(settings)
    setTimes(times + 1)
    for (const { field } of submit.problems) submit.mend(field)
  }
  const readAgain = async () => {
    const now = await call(settingsAdminCalls.getAllSettings)
    setSaved(now)
    fill(now.settings)
    setStale(null)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-6">
        {stale && (
          <EditConflict
            key={stale.requestId}
            conflict={stale}
            label="Load them again"
            readAgain={readAgain}
            failed="The settings could not be loaded."
          />
        )}
        <SubmitForm
          submit={{ ...submit, problems: [...ofAccent, ...submit.problems] }}
          key={times}
          aria-label="Settings"
          className="space-y-6"
        >
          <ShopFields draft={draft} />
          <ContactFields draft={draft} />
          <ThemeFields draft={draft} />
          <SlideFields draft={draft} />
          <TextFields draft={draft} />
          <DisplayFields draft={draft} />
          <PaymentMethodFields draft={draft} zones={zones} />
          <BusyButton
            type="submit"
            busy={submit.busy}
            className="btn-primary max-sm:w-full sm:px-10"
          >
            Save settings
          </BusyButton>
        </SubmitForm>
        <SettingsFileForm settings={saved.settings} onRead={fill} />
      </div>
      <ShopPreview settings={settings} />
      <UnsavedChangesPrompt isChanged={() => !isSame(settings, saved.settings)} />
    </div>
  )
}
