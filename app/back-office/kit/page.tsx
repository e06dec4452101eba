/** A page of the back office, and its parts. */
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { type ReactNode, useId } from 'react'
import type { ListedFinding } from '#app/setup/admin-contract.ts'
import { PageHead } from '#app/shared/web/head.tsx'

export type PageProps = {
  title: string
  /** The title in the browser's tab, where it names the object. */
  tab?: string
  /** The list that the page belongs to. */
  back?: { href: string; label: string }
  /** Beside the title, such as a count, or the name of the object. */
  note?: ReactNode
  /** Beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** A page of the back office: its title, its tools, its content. */
export const Page = ({ title, tab = title, back, note, tools, children }: PageProps) => (
  <section className="space-y-4">
    <PageHead title={tab} hidden />
    <PageHeader title={title} back={back} note={note} tools={tools} />
    {children}
  </section>
)

type HeaderProps = Pick<PageProps, 'title' | 'back' | 'note' | 'tools'>

/** The title of a page, and its tools. */
export const PageHeader = ({ title, back, tools, note }: HeaderProps) => (
  <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      {back && (
        <a
          href={back.href}
          className="link link-hover inline-flex items-center self-center print:hidden"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {back.label}
        </a>
      )}
      <h1 className="wrap-anywhere font-semibold text-xl">{title}</h1>
      {note && <div className="wrap-anywhere min-w-0">{note}</div>}
    </div>
    {tools && <div className="flex flex-wrap items-center gap-2 max-md:*:grow">{tools}</div>}
  </header>
)

type CardProps = {
  title?: string
  /** Beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** A part of a page with its heading. */
export function Card({ title, tools, children }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={title && id} className="surface space-y-3 p-4">
      {title && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id={id} className="wrap-anywhere font-semibold text-base">
            {title}
          </h2>
          {tools}
        </div>
      )}
      {children}
    </section>
  )
}

/** Names and values, one a line. A value of null is left out. */
export const Facts = ({ facts }: { facts: [name: string, value: ReactNode][] }) => (
  <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-base-content/75">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

type Entry = {
  key: string
  text: ReactNode
  /** Below the text. */
  note?: ReactNode
  /** At the end of its line, such as an amount. */
  end?: ReactNode
}

type EntriesProps = {
  /** The name of the list for screen readers. */
  label?: string
  entries: Entry[]
  /** Shown when there is none. */
  empty?: string
}

/** Entries, one below the other. */
export const Entries = ({ label, entries, empty }: EntriesProps) => (
  <>
    {entries.length === 0 && empty && <p className="text-base-content/75">{empty}</p>}
    <ul aria-label={label} className="wrap-anywhere divide-y divide-base-300">
      {entries.map(({ key, text, note, end }) => (
        <li
          key={key}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 first:pt-0 last:pb-0"
        >
          <div className="min-w-40 flex-1 whitespace-pre-line">
            {text}
            {note && <div className="text-base-content/75">{note}</div>}
          </div>
          {end}
        </li>
      ))}
    </ul>
  </>
)

const STATES = {
  ok: { label: 'Fine', tone: 'badge-success' },
  warning: { label: 'Warning', tone: 'badge-warning' },
  problem: { label: 'Problem', tone: 'badge-error' },
} as const

/** Findings, each with its advice. */
export const FindingList = ({ findings }: { findings: ListedFinding[] }) => (
  <Entries
    entries={findings.map(({ state, about, found, advice }) => ({
      key: `${about} ${found}`,
      text: (
        <>
          <span className={`badge badge-sm mr-2 ${STATES[state].tone}`}>{STATES[state].label}</span>
          <strong>{about}:</strong> {found}
        </>
      ),
      note: advice,
    }))}
  />
)

/** The main column of a page, and beside it a narrow one; on a phone one below the other. */
export const Columns = ({ children, side }: { children: ReactNode; side: ReactNode }) => (
  <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] 2xl:grid-cols-[minmax(0,1fr)_26rem]">
    <div className="space-y-4">{children}</div>
    <div className="space-y-4">{side}</div>
  </div>
)
