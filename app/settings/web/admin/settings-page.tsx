import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { SETTINGS_ID, settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { loadOrToast } from '#app/shared/web/failure/load-or-toast.ts'
import { NotLoaded } from '#app/shared/web/failure/not-loaded.tsx'
import { useLastLoaded } from '#app/shared/web/failure/use-last-loaded.ts'
import { callContext } from '#app/shared/web/load.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import type { Route } from './+types/settings-page.ts'
import { SettingsEditor } from './settings-editor.tsx'

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
