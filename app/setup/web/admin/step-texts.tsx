import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Step, StepName } from '#app/setup/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { useShop } from '#app/shared/web/shop.ts'

const Action = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="btn btn-outline btn-sm">
    {children}
  </Link>
)

/** A step that needs settings of the environment: which, and where. */
const InEnvironment = ({ lines, children }: { lines: string[]; children: ReactNode }) => (
  <>
    <p>{children}</p>
    <p>
      Set these in the file <code>.env</code> in the folder of the shop, and start it again:
    </p>
    <pre className="wrap-anywhere whitespace-pre-wrap rounded-field bg-base-200 p-4 text-sm">
      <code>{lines.join('\n')}</code>
    </pre>
  </>
)

/** Live keys charge in the currency of the settings, so that customers pay what they were shown. */
function LiveKeys({ providers = [] }: Step) {
  const { currencyDisplay } = useShop()
  const names = providers.map(({ label }) => label).join(' or ')
  return (
    <InEnvironment
      lines={[
        ...providers.flatMap(({ settings }) => settings.map((name) => `${name}=…`)),
        `CURRENCY_CHARGE=${currencyDisplay}`,
      ]}
    >
      Take real payments with the live keys of your {names} account, in the currency of the{' '}
      <Link to={href('/dashboard/admin/settings')} className="link">
        settings
      </Link>
      . Remove the setting <code>PAYMENTS</code> then: it is for test payments, which charge nobody.
    </InEnvironment>
  )
}

/** The title of each step, and how it is done. */
export const STEP_TEXTS: Record<
  StepName,
  { title: string; todo: ReactNode | ((step: Step) => ReactNode) }
> = {
  brand: {
    title: 'Name and logo',
    todo: (
      <>
        <p>
          Give the shop a name of its own, and upload a logo. The slides of the home page, contact
          data, and the texts of About, Contact and Policy are there, too.
        </p>
        <Action to={href('/dashboard/admin/settings')}>Open the settings</Action>
      </>
    ),
  },
  product: {
    title: 'First product',
    todo: (
      <>
        <p>Create a category and a product in it, or import products from a CSV file.</p>
        <div className="flex flex-wrap gap-3">
          <Action to={href('/dashboard/admin/create-category')}>Create a category</Action>
          <Action to={href('/dashboard/admin/create-product')}>Create a product</Action>
          <Action to={href('/dashboard/admin/import-export')}>Import products</Action>
        </div>
      </>
    ),
  },
  payments: {
    title: 'Payments',
    todo: (step) => <LiveKeys {...step} />,
  },
  email: {
    title: 'E-mail',
    todo: (
      <InEnvironment
        lines={[
          'SMTP_URL=smtps://user:password@smtp.example.com',
          'MAIL_FROM=shop@example.com',
          'SHOP_URL=https://shop.example.com',
        ]}
      >
        Send confirmations to customers through the SMTP server of your e-mail provider. Links in
        e-mails lead to <code>SHOP_URL</code>, the address of the next step.
      </InEnvironment>
    ),
  },
  address: {
    title: 'Public address',
    todo: (
      <InEnvironment lines={['SHOP_URL=https://shop.example.com', 'TRUST_PROXY=loopback']}>
        Let customers reach the shop by HTTPS, through a reverse proxy, and name its address.{' '}
        <code>TRUST_PROXY=loopback</code> is for a proxy on the same machine.{' '}
        <code>docs/operations.md</code> describes the proxy.
      </InEnvironment>
    ),
  },
}
