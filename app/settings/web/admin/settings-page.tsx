import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { Columns, Page } from '#app/back-office/kit/page.tsx'
import { SETTINGS_ID, settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { connectionCalls } from '#app/settings/connection-contract.ts'
import { legalRulesOf } from '#app/settings/legal-model.ts'
import { problemsOf } from '#app/settings/model.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { fieldsOf } from '#app/shared/web/form/use-submit.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import type { Route } from './+types/settings-page.ts'
import { ConnectionCard } from './connection-card.tsx'
import { fieldsIn, settingsIn } from './settings-form.ts'
import { SETTINGS_PAGES } from './settings-pages.tsx'
import { ShopPreview } from './shop-preview.tsx'

export function clientLoader() {
  const loading = Promise.all([
    call(settingsAdminCalls.getAllSettings),
    call(shippingAdminCalls.getZones),
    call(connectionCalls.getConnections),
  ])
  return loadOrToast(
    loading.then(([saved, { zones }, connections]) => ({ saved, zones, connections })),
    'The settings could not be loaded.',
  )
}

/** One page of the settings. */
export default function SettingsPage({ loaderData, params: { page } }: Route.ComponentProps) {
  const loaded = useLastLoaded(loaderData)
  if (!loaded) return <NotLoaded />
  // the editor keeps what it was opened with: a later load does not change it
  return <SettingsEditor key={page} page={page} {...loaded} />
}

type EditorProps = NonNullable<Awaited<ReturnType<typeof clientLoader>>> & { page: string }

/** The form of a page. A save never overwrites another admin's. */
function SettingsEditor({ page, saved: loaded, zones, connections }: EditorProps) {
  const [{ revision, settings }, setSaved] = useState(loaded)
  const [edited, setEdited] = useState(settings)
  const { title, fields, hasPreview } = SETTINGS_PAGES[page] ?? {
    title: 'There is no such page of the settings',
  }
  const connection = connections.find(({ name }) => name === page)
  const after = connection && <ConnectionCard {...connection} />
  const head = {
    title,
    tab: `${title} · Settings`,
    back: { href: href('/dashboard/admin/settings'), label: 'Settings' },
    tools: <HistoryLink object={SETTINGS_ID} />,
  }
  if (!fields) return <Page {...head}>{after}</Page>
  const form = fields({ settings, zones })
  const save = async (_: unknown, sent: FormData) => {
    const changed = settingsIn(sent, form, settings)
    const problems = problemsOf(changed)
    if (problems[0]) throw new CallFailure(400, { message: problems[0].message, fields: problems })
    const password = fieldsOf(sent)('password')
    const body = { revision, settings: changed, ...(password && { password }) }
    const { message, ...saved } = await call(settingsAdminCalls.saveSettings, { body })
    setSaved({ ...saved, settings: changed })
    return { message }
  }
  const names = fieldsIn(form).map(({ name }) => name)
  const missing = legalRulesOf(settings.country).required.filter(
    (text) => names.includes(text) && settings[text].trim() === '',
  )
  return (
    <FormPage
      {...head}
      values={settings}
      {...(hasPreview && { onEdit: (sent) => setEdited(settingsIn(sent, form, settings)) })}
      save={save}
      failed="The settings could not be saved."
      action="Save settings"
      readAgain={async () => setSaved(await call(settingsAdminCalls.getAllSettings))}
      after={after}
    >
      {missing.length > 0 && (
        <p className="rounded-field border border-warning bg-warning/15 p-3">
          The law of your country asks for: {missing.join(', ')}. Each text that is set has a page
          and a link in the footer, and is attached to the confirmation of an order.
        </p>
      )}
      {hasPreview ? (
        <Columns side={<ShopPreview settings={edited} />}>{form}</Columns>
      ) : (
        <div className="max-w-5xl space-y-4">{form}</div>
      )}
    </FormPage>
  )
}
