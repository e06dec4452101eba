import { settingsCalls } from '#app/settings/contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { href } from '#app/shared/model/href.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/contact-page.ts'
import { ShopIllustration, Unwritten } from './info-parts.tsx'

const load = ({ context }: Pick<LoadArgs, 'context'>) =>
  callOf({ context })(settingsCalls.getText, { params: { page: 'contact' } })

export const loader = ({ context }: Route.LoaderArgs) => load({ context })
export const clientLoader = ({ context }: Route.ClientLoaderArgs) => load({ context })

const telephone = (number: string) => `tel:${number.replace(/[^+\d]/g, '')}`

/** The merchant's text and contact data (spec §2). */
export default function ContactPage({ loaderData: { nodes, summary } }: Route.ComponentProps) {
  const { name, email, phone, tollFree, address } = useShop()
  const hasData = [email, phone, tollFree, address].some((value) => value !== '')
  const isWritten = hasData || nodes.length > 0
  return (
    <article className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-16 md:grid-cols-2 lg:gap-16 lg:px-8">
      <PageHead
        title="Contact us"
        description={summary || `How to reach ${name}.`}
        path={href('/contact')}
        hidden={!isWritten}
      />
      <ShopIllustration />
      <div className="space-y-6">
        <h1 className="text-4xl sm:text-5xl">CONTACT US</h1>
        <div className="markdown wrap-anywhere space-y-5 text-lg leading-relaxed">
          <MarkdownText nodes={nodes} title="Contact us" />
          {!isWritten && <Unwritten />}
        </div>
        {hasData && (
          <dl className="surface wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-3 p-6">
            <Datum label="Support" value={email} href={`mailto:${email}`} />
            <Datum label="Phone" value={phone} href={telephone(phone)} />
            <Datum label="Toll-free" value={tollFree} href={telephone(tollFree)} />
            <Datum label="Address" value={address} />
          </dl>
        )}
      </div>
    </article>
  )
}

type DatumProps = { label: string; value: string; href?: string }

/** A row of the contact data; nothing where it is not set. */
function Datum({ label, value, href }: DatumProps) {
  if (value === '') return null
  return (
    <>
      <dt className="text-base-content/75">{label}</dt>
      <dd className="whitespace-pre-line">
        {href ? (
          <a className="link" href={href}>
            {value}
          </a>
        ) : (
          value
        )}
      </dd>
    </>
  )
}
