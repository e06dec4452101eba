import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { SETTINGS_ID, type Settings, settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { Route } from './+types/settings-page.ts'
import { refusedIn, useDraft } from './settings-draft.ts'
import { SettingsFileForm } from './settings-file.tsx'
import { ContactFields, DisplayFields, ShopFields, ThemeFields } from './shop-fields.tsx'
import { ShopPreview } from './shop-preview.tsx'
import { SlideFields } from './slide-fields.tsx'
import { TextFields } from './text-fields.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(
    context.get(callContext)(settingsAdminCalls.getAllSettings),
    'The settings could not be loaded.',
  )

/** The settings of the shop, with a preview beside the form. */
export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLastLoaded(loaderData)
  if (!loaded) return <NotLoaded />
  return (
    <div className="space-y-6">
      <PageHead title="Settings" hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-3xl">Settings</h1>
        <HistoryLink object={SETTINGS_ID} />
      </header>
      {/* the editor keeps what it was opened with: a later load does not change it */}
      <SettingsEditor loaded={loaded} />
    </div>
  )
}

type Saved = { revision: number; settings: Settings }

const isSame = (one: Settings, other: Settings) => JSON.stringify(one) === JSON.stringify(other)

/** The form of all settings, and its preview. A save never overwrites another admin's. */
function SettingsEditor({ loaded }: { loaded: Saved }) {
  const [saved, setSaved] = useState(loaded)
  // fields that keep what is typed begin anew when the settings are replaced
  const [times, setTimes] = useState(0)
  const [stale, setStale] = useState<CallFailure | null>(null)
  const draft = useDraft(loaded.settings)
  const { revalidate } = useRevalidator()
  const { form, focusProblem } = useProblemFocus()
  const fill = (settings: Settings) => {
    draft.replace(settings)
    setTimes(times + 1)
  }
  /** Shows a refused field at that field, and an edit conflict above the form. Rethrows other errors. */
  const showFailure = (error: unknown) => {
    const refused = refusedIn(error, draft.settings)
    if (refused.length > 0) {
      draft.refuse(refused)
      focusProblem()
    } else if (error instanceof CallFailure && error.code === 'stale') setStale(error)
    else throw error
  }
  const { busy, form: submitting } = useSubmit(
    async () => {
      if (!draft.check()) return focusProblem()
      const { settings } = draft
      const body = { revision: saved.revision, settings }
      try {
        const { message, revision } = await call(settingsAdminCalls.saveSettings, { body })
        setSaved({ revision, settings })
        toast.success(message)
      } catch (error) {
        return showFailure(error)
      }
      // the frame of this page shows the settings, too
      await revalidate()
    },
    { failed: 'The settings could not be saved.', refused: revalidate },
  )
  const readAgain = async () => {
    const now = await call(settingsAdminCalls.getAllSettings)
    setSaved(now)
    fill(now.settings)
    setStale(null)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-6">
        {stale && <Stale key={stale.requestId} message={stale.message} readAgain={readAgain} />}
        <form
          {...submitting}
          ref={form}
          key={times}
          aria-label="Settings"
          noValidate
          className="space-y-6"
        >
          {/* a change of the draft takes its problems away */}
          <FormProblems value={{ problems: draft.problems, mend() {} }}>
            <ShopFields draft={draft} />
            <ContactFields draft={draft} />
            <ThemeFields draft={draft} />
            <SlideFields draft={draft} />
            <TextFields draft={draft} />
            <DisplayFields draft={draft} />
          </FormProblems>
          <BusyButton type="submit" busy={busy} className="btn-primary max-sm:w-full sm:px-10">
            Save settings
          </BusyButton>
        </form>
        <SettingsFileForm settings={saved.settings} onRead={fill} />
      </div>
      <ShopPreview settings={draft.settings} />
      <UnsavedChangesPrompt isChanged={() => !isSame(draft.settings, saved.settings)} />
    </div>
  )
}

/** Moves the focus to the first control with a problem, once it is shown. */
function useProblemFocus() {
  const form = useRef<HTMLFormElement>(null)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked])
  return { form, focusProblem: () => setAsked((times) => times + 1) }
}

type StaleProps = { message: string; readAgain: () => Promise<void> }

/** The message of an edit conflict: nothing was overwritten, and the entered values stay. */
function Stale({ message, readAgain }: StaleProps) {
  const { busy, form } = useSubmit(readAgain, { failed: 'The settings could not be loaded.' })
  const element = useRef<HTMLFormElement>(null)
  // the button that was pressed is far below
  useEffect(() => element.current?.focus(), [])
  return (
    <form
      {...form}
      ref={element}
      tabIndex={-1}
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-warning bg-warning/15 p-4"
    >
      <p>{message}</p>
      <BusyButton type="submit" busy={busy} className="btn-sm">
        Load them again
      </BusyButton>
    </form>
  )
}
