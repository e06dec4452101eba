import { type ReactNode, useId } from 'react'

/** A part of the form with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="surface space-y-4 p-4 sm:p-6">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
