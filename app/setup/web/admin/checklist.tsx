import type { Step } from '#app/setup/checklist-contract.ts'
import { STEP_TEXTS } from './step-texts.tsx'

/** The steps of setting up the shop: what is done, and how to do the rest. */
export function Checklist({ steps }: { steps: Step[] }) {
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

function ListedStep({ step: { name, isDone }, number }: { step: Step; number: number }) {
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
        {!isDone && todo}
      </div>
    </li>
  )
}
