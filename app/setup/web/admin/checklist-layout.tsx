import { Suspense, use } from 'react'
import { Outlet } from 'react-router'
import { checklistCalls, type ListedFinding, type Step } from '#app/setup/admin-contract.ts'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import type { Route } from './+types/checklist-layout.ts'
import { STEP_TEXTS } from './step-texts.tsx'

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

/** The checklist of a new shop until all is done, then its problems, above the dashboard's figures. */
export default function ChecklistLayout({ loaderData }: Route.ComponentProps) {
  const isSetUp = loaderData?.steps.every(({ isDone }) => isDone)
  return (
    <>
      {loaderData && isSetUp && (
        <Suspense>
          <Findings loaded={loaderData.findings} isSetUp />
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

/** The steps of setting up the shop: what is done, and how to do the rest. */
function Checklist({ steps }: { steps: Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <>
      <header className="space-y-3">
        <h2 id="setup" className="text-2xl">
          Set up your shop
        </h2>
        <p className="text-base-content/75">
          {done} of {steps.length} steps are done. This list goes away with the last one.
        </p>
        <progress
          aria-label="Steps that are done"
          className="progress progress-primary w-full"
          value={done}
          max={steps.length}
        />
      </header>
      <ol className="space-y-6">
        {steps.map((step, at) => (
          <ListedStep key={step.name} number={at + 1} step={step} />
        ))}
      </ol>
    </>
  )
}

function ListedStep({ step, number }: { step: Step; number: number }) {
  const { name, isDone } = step
  const { title, todo } = STEP_TEXTS[name]
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className={`flex size-8 shrink-0 items-center justify-center rounded-full font-semibold ${
          isDone ? 'bg-primary text-primary-content' : 'bg-base-200'
        }`}
      >
        {isDone ? '✓' : number}
      </span>
      <div className="min-w-0 flex-1 space-y-3 pt-1 [&_p_code]:text-sm">
        <h3 className="font-display font-semibold text-lg leading-6">
          {title}
          {isDone && <span className="font-normal text-base text-base-content/75"> – done</span>}
        </h3>
        {!isDone && (typeof todo === 'function' ? todo(step) : todo)}
      </div>
    </li>
  )
}

const STATES = {
  problem: { label: 'Problem', className: 'badge-error' },
  warning: { label: 'Warning', className: 'badge-warning' },
} as const

type FindingsProps = { loaded: Promise<ListedFinding[] | null>; isSetUp?: boolean }

/**
 * Recommendations of the doctor, once they have arrived, in the sentences of `npm run shop -- doctor`. Once
 * the shop is set up they are shown for a problem only.
 */
function Findings({ loaded, isSetUp = false }: FindingsProps) {
  const findings = use(loaded)
  if (!findings || (isSetUp && findings.every(({ state }) => state !== 'problem'))) return null
  const bad = findings.flatMap(({ state, ...finding }) =>
    state === 'ok' ? [] : [{ ...finding, ...STATES[state] }],
  )
  const Heading = isSetUp ? 'h2' : 'h3'
  return (
    <section
      aria-labelledby="findings"
      className={`space-y-4 ${isSetUp ? 'surface p-6 sm:p-10' : ''}`}
    >
      <Heading id="findings" className="text-xl">
        Checks of the installation
      </Heading>
      <p className="text-base-content/75">
        {findings.length - bad.length} of {findings.length} checks are fine.
        {bad.length > 0 && ' These need attention:'}
      </p>
      {bad.length > 0 && (
        <ul className="space-y-4">
          {bad.map(({ label, className, about, found, advice }) => (
            <li key={`${about} ${found}`} className="wrap-anywhere space-y-1">
              <p>
                <span className={`badge badge-sm mr-2 ${className}`}>{label}</span>
                <strong>{about}:</strong> {found}
              </p>
              {advice && <p className="text-base-content/75 text-sm">{advice}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
