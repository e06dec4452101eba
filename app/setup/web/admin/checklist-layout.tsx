import { Suspense, use } from 'react'
import { Outlet } from 'react-router'
import { checklistCalls, type ListedFinding } from '#app/setup/checklist-contract.ts'
import { loadOrToast } from '#app/shared/web/failure/load-or-toast.ts'
import { callContext } from '#app/shared/web/load.ts'
import type { Route } from './+types/checklist-layout.ts'
import { Checklist } from './checklist.tsx'
import { FindingList } from './finding-list.tsx'

/** The page does not wait for the findings of the doctor. A demo has no steps, and needs neither. */
export async function clientLoader({ context }: Route.ClientLoaderArgs) {
  const call = context.get(callContext)
  const steps = await loadOrToast(
    call(checklistCalls.getChecklist),
    'The checklist could not be loaded.',
  )
  if (!steps || steps.length === 0) return null
  const findings = loadOrToast(
    call(checklistCalls.getFindings),
    'The findings of the doctor could not be loaded.',
  )
  return { steps, findings }
}

type Loaded = { loaded: Promise<ListedFinding[] | null> }

/** The findings, once they have arrived. */
function Findings({ loaded }: Loaded) {
  const findings = use(loaded)
  return findings && <FindingList findings={findings} />
}

/** Problems of a shop that is set up. Warnings are shown with the checklist only. */
function Problems({ loaded }: Loaded) {
  const findings = use(loaded)
  if (!findings?.some(({ state }) => state === 'problem')) return null
  return (
    <div className="surface p-6 sm:p-10">
      <FindingList findings={findings} heading="h2" />
    </div>
  )
}

/** The checklist of a new shop until all is done, then its problems, above the dashboard's figures. */
export default function ChecklistLayout({ loaderData }: Route.ComponentProps) {
  const isSetUp = loaderData?.steps.every(({ isDone }) => isDone)
  return (
    <>
      {loaderData && isSetUp && (
        <Suspense>
          <Problems loaded={loaderData.findings} />
        </Suspense>
      )}
      {loaderData && !isSetUp && (
        <section aria-labelledby="setup" className="surface space-y-8 p-6 sm:p-10">
          <Checklist steps={loaderData.steps} />
          <Suspense fallback={<p role="status">Checking the shop …</p>}>
            <Findings loaded={loaderData.findings} />
          </Suspense>
        </section>
      )}
      <Outlet />
    </>
  )
}
