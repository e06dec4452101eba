import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { Field } from '#app/back-office/kit/fields.tsx'
import { Card, Entries, Page } from '#app/back-office/kit/page.tsx'
import { SETTINGS_ID, type Settings, settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrToast } from '#app/shared/web/load.ts'
import type { Route } from './+types/settings-index-page.ts'
import { SettingsFile } from './settings-file.tsx'
import { fieldsIn } from './settings-form.ts'
import { SETTINGS_PAGES } from './settings-pages.tsx'

export const clientLoader = () =>
  loadOrToast(call(settingsAdminCalls.getAllSettings), 'The settings could not be loaded.')

/** The pages with what was found on each; without a text all. */
function findSettings(text: string, settings: Settings) {
  const contains = (one: string) => one.toLowerCase().includes(text.trim().toLowerCase())
  return Object.entries(SETTINGS_PAGES).flatMap(([name, { title, about, words = '', fields }]) => {
    const labels = fieldsIn(fields?.({ settings, zones: [] })).map(({ label }) => label)
    const found = [...new Set([...labels, ...words.split(', ')])].filter(contains)
    const note = text.trim() === '' ? about : found.join(', ') || about
    return found.length > 0 || contains(`${title} ${about}`) ? [{ name, title, note }] : []
  })
}

/** The pages of the settings, and a search over their fields. */
export default function SettingsIndexPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLastLoaded(loaderData)
  const [text, setText] = useState('')
  if (!loaded) return <NotLoaded />
  const found = findSettings(text, loaded.settings)
  return (
    <Page title="Settings" tools={<HistoryLink object={SETTINGS_ID} />}>
      <div className="max-w-5xl space-y-4">
        <Field
          label="Find a setting"
          type="search"
          placeholder="Such as currency, logo or SMTP"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Card>
          <Entries
            label="Settings pages"
            entries={found.map(({ name, title, note }) => ({
              key: name,
              text: (
                <a
                  href={href('/dashboard/admin/settings/:page', { page: name })}
                  className="link-hover block font-semibold"
                >
                  {title}
                </a>
              ),
              note,
            }))}
          />
          <p role="status">{found.length === 0 && 'There is no such setting.'}</p>
        </Card>
        <SettingsFile {...loaded} />
      </div>
    </Page>
  )
}
