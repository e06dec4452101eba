import { PageHead } from '#app/shared/web/page-head.tsx'

const LINES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']

/** Placeholder lines for the merchant (spec §2). */
export default function PolicyPage() {
  return (
    <article className="mx-auto max-w-3xl px-4 py-16 lg:px-8">
      <PageHead title="Privacy Policy" path="/policy" />
      <h1 className="mb-8 text-4xl">Privacy Policy</h1>
      <ul className="surface space-y-3 p-8">
        {LINES.map((line) => (
          <li key={line}>add privacy policy</li>
        ))}
      </ul>
    </article>
  )
}
