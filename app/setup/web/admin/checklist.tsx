import { atom } from 'nanostores'
import { Suspense, use } from 'react'
import { Card, Entries, FindingList } from '#app/back-office/kit/page.tsx'
import type { ListedFinding, Step } from '#app/setup/admin-contract.ts'
import { storedAtom, useStore } from '#app/shared/web/storage.ts'
import { STEP_TEXTS } from './step-texts.ts'

/** Whether this browser shows the steps; their number is always shown. */
const openAtom = storedAtom('checklist', atom(true), (stored) => stored !== false)

const countDone = (steps: Step[]) => steps.filter(({ isDone }) => isDone).length

/** The checklist of a new shop; nothing when all is done. */
export function Checklist({ steps }: { steps: Step[] }) {
  const isOpen = useStore(openAtom)
  const done = countDone(steps)
  if (done === steps.length) return null
  return (
    <Card title="Set up your shop">
      <p className="text-base-content/75">
        {done} of {steps.length} steps are done. This list disappears when all are done.
      </p>
      <progress
        aria-label="Steps that are done"
        className="progress progress-primary w-full"
        value={done}
        max={steps.length}
      />
      <details open={isOpen} onToggle={({ currentTarget }) => openAtom.set(currentTarget.open)}>
        <summary className="cursor-pointer">Steps</summary>
        <Entries
          entries={steps.map((step) => ({
            key: step.name,
            text: (
              <h3 className="font-semibold">
                {STEP_TEXTS[step.name].title}
                {step.isDone && ' – done ✓'}
              </h3>
            ),
            note: !step.isDone && <Todo {...step} />,
          }))}
        />
      </details>
    </Card>
  )
}

type ChecksProps = { steps: Step[]; findings: Promise<ListedFinding[] | null> }

/** What the doctor finds in the shop; beside an open checklist also what is fine. */
export function Checks({ steps, findings }: ChecksProps) {
  const isOpen = useStore(openAtom)
  return (
    <Suspense>
      <Findings loaded={findings} onlyProblems={!isOpen || countDone(steps) === steps.length} />
    </Suspense>
  )
}

/** How a step is done. */
function Todo(step: Step) {
  const { text, links } = STEP_TEXTS[step.name]
  return (
    <>
      <p>{typeof text === 'string' ? text : text(step)}</p>
      <div className="flex flex-wrap gap-2 pt-2">
        {Object.entries(links).map(([label, to]) => (
          <a key={label} href={to} className="btn btn-sm">
            {label}
          </a>
        ))}
      </div>
    </>
  )
}

type FindingsProps = { loaded: Promise<ListedFinding[] | null>; onlyProblems: boolean }

/** Recommendations of the doctor, once they have arrived, in the sentences of `npm run shop -- doctor`. */
function Findings({ loaded, onlyProblems }: FindingsProps) {
  const findings = use(loaded)
  if (!findings || (onlyProblems && findings.every(({ state }) => state !== 'problem'))) return null
  const bad = findings.filter(({ state }) => state !== 'ok')
  return (
    <Card title="Checks of the installation">
      <p className="text-base-content/75">
        {findings.length - bad.length} of {findings.length} checks are fine.
        {bad.length > 0 && ' These need attention:'}
      </p>
      <FindingList findings={bad} />
    </Card>
  )
}
