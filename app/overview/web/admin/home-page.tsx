import { sessionAtom } from '#app/accounts/web/session.ts'
import { ListFilters, ListTabs } from '#app/back-office/kit/list-filters.tsx'
import { DAYS, queryOf } from '#app/back-office/kit/list-query.ts'
import { Card, Facts, Page } from '#app/back-office/kit/page.tsx'
import { type FiguresQuery, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { checklistCalls } from '#app/setup/admin-contract.ts'
import { Checklist, Checks } from '#app/setup/web/admin/checklist.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrToast } from '#app/shared/web/load.ts'
import { useStore } from '#app/shared/web/storage.ts'
import type { Route } from './+types/home-page.ts'
import { Figures } from './figures.tsx'

const TABS = {
  name: 'period',
  kind: 'tabs',
  options: {
    today: 'Today',
    '7_days': '7 days',
    // the period of an address without one
    '': '30 days',
    '90_days': '90 days',
    last_week: 'Last week',
    month: 'This month',
    last_month: 'Last month',
    year: 'This year',
  },
} as const

/** The page does not wait for the findings of the doctor. A demo has no steps, and needs neither. */
async function loadChecklist() {
  const { getChecklist, getFindings } = checklistCalls
  const steps = await loadOrToast(call(getChecklist), 'The checklist could not be loaded.')
  if (!steps || steps.length === 0) return null
  const failed = 'The findings of the doctor could not be loaded.'
  return { steps, findings: loadOrToast(call(getFindings), failed) }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { page: _, ...query } = queryOf<FiguresQuery & { page: number }>(request.url, [
    TABS,
    ...DAYS,
  ])
  const [figures, checklist] = await Promise.all([
    loadOrToast(call(orderAdminCalls.getFigures, { query }), 'The figures could not be loaded.'),
    loadChecklist(),
  ])
  return { figures, checklist }
}

/** The admin's own card (spec §2), the checklist of a new shop, the figures of a period, and what the doctor finds. */
export default function HomePage({ loaderData: { figures, checklist } }: Route.ComponentProps) {
  const { user } = useStore(sessionAtom)
  const last = useLastLoaded(figures, 'figures')
  return (
    <Page title="Home" tab="Admin Dashboard">
      <Card title={user?.name}>
        <Facts facts={Object.entries({ Email: user?.email, Contact: user?.phone })} />
      </Card>
      {checklist && <Checklist steps={checklist.steps} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ListTabs filter={TABS} />
        <ListFilters filters={DAYS} />
      </div>
      {!figures && <NotLoaded />}
      {last && <Figures figures={last} />}
      {checklist && <Checks {...checklist} />}
    </Page>
  )
}
