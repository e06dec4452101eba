import type { ReactNode } from 'react'
import {
  Checkbox,
  Field,
  LongText,
  NumberField,
  Row,
  Select,
} from '#app/back-office/kit/fields.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import type { Settings } from '#app/settings/admin-contract.ts'
import type { TextPage } from '#app/settings/contract.ts'
import type { SCHEMES } from '#app/shared/contract/public-settings.ts'
import { href } from '#app/shared/model/href.ts'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { countryOptions, currencies, named, timeZones } from '../options.ts'
import { AccentField, PictureField } from './brand-fields.tsx'
import { PasswordCard } from './password-field.tsx'
import { paymentMethod } from './payment-method-fields.tsx'
import { SlideFields } from './slide-fields.tsx'
import { MarkdownField } from './text-fields.tsx'

export type Loaded = { settings: Settings; zones: ShippingZone[] }

export type SettingsPage = {
  title: string
  about: string
  /** Words that find the page, beside the labels of its fields. */
  words?: string
  /** The fields, each with the path of its setting as its name. A page of a connection alone has none. */
  fields?: (loaded: Loaded) => ReactNode
  hasPreview?: true
}

const locales = () =>
  named(
    'language',
    'en-US en-GB en-IN en-AU en-CA de-DE de-AT de-CH fr-FR fr-CH fr-CA es-ES es-MX it-IT it-CH pt-BR pt-PT nl-NL nl-BE da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ ro-RO tr-TR uk-UA el-GR he-IL ar-EG ar-AE hi-IN bn-IN ta-IN id-ID ms-MY th-TH zh-CN zh-HK',
  )

const SCHEME_NAMES: Record<(typeof SCHEMES)[number], string> = {
  system: "As the visitor's device: light or dark",
  light: 'Always light',
  dark: 'Always dark',
}

const Elsewhere = ({ to, children }: { to: string; children: string }) => (
  <a href={to} className="link block">
    {children}
  </a>
)

const texts = (...pages: TextPage[]) => (
  <Card title={pages.length > 1 ? 'Texts' : 'Text'}>
    <p className="text-base-content/75">
      In Markdown: line breaks are kept, an empty line begins a paragraph, # a heading, - an entry
      of a list; **bold**, *italic*, [a link](https://example.com). HTML is left out.
    </p>
    {pages.map((page) => (
      <MarkdownField
        key={page}
        label={`Text of ${page.charAt(0).toUpperCase()}${page.slice(1)}`}
        name={page}
        preview={`Preview of ${page}`}
      />
    ))}
  </Card>
)

/** By the last part of their addresses. */
export const SETTINGS_PAGES: Readonly<Record<string, SettingsPage>> = {
  general: {
    title: 'General',
    about: 'Name, contact data, country, time zone, e-mails to admins',
    fields: () => (
      <>
        <Card title="Shop">
          <Row>
            <Field label="Name" name="name" autoComplete="organization" />
            <Field
              label="Tagline"
              name="tagline"
              hint="After the name, in the title of the home page."
            />
            <Select
              label="Country"
              name="country"
              hint="Where you sell from: its law decides which texts customers have to find."
              options={[{ value: '', label: 'Not chosen' }, ...countryOptions()]}
            />
            <Select
              label="Time zone"
              name="timeZone"
              hint="Days begin at its midnight: of invoices, figures, coupons and tax rates."
              options={timeZones()}
            />
          </Row>
        </Card>
        <Card title="Contact data">
          <p className="text-base-content/75">An empty field is not shown.</p>
          <Row>
            {/* no `type="email"`: the browser would refuse an address in other words than the shop */}
            <Field label="E-mail" name="email" inputMode="email" autoComplete="email" />
            <Field label="Phone" name="phone" type="tel" autoComplete="tel" />
            <Field label="Toll-free number" name="tollFree" type="tel" />
            <LongText label="Address" name="address" rows={3} />
          </Row>
        </Card>
        <Card title="E-mails to admins">
          <Checkbox label="Send each admin an e-mail for a new order" name="mailsOrders" />
        </Card>
      </>
    ),
  },
  brand: {
    title: 'Brand',
    about: 'Logo, accent colour, light and dark',
    words: 'Icon',
    fields: ({ settings }) => (
      <>
        <Card title="Your brand">
          <PictureField
            label="Logo"
            name="logo"
            hint="About 400 pixels wide. On dark pages it stands on a light plate. Icons of browser tabs are made from it."
            picture={settings.logo ?? ''}
            alt="The logo"
            className="h-12 w-auto max-w-40 object-contain"
            remove="Remove the logo"
          />
        </Card>
        <Card title="Theme">
          <Row>
            <AccentField label="Accent colour" name="accent" accent={settings.accent} />
            <Select label="Theme of the pages" name="scheme" options={SCHEME_NAMES} />
          </Row>
        </Card>
      </>
    ),
    hasPreview: true,
  },
  home: {
    title: 'Home page',
    about: 'The slides',
    words: 'Pictures, Carousel, Banner',
    fields: ({ settings }) => <SlideFields label="Slides" name="slides" slides={settings.slides} />,
    hasPreview: true,
  },
  texts: {
    title: 'Texts and legal pages',
    about: 'About, contact, privacy policy, imprint, terms, returns',
    words: 'Withdrawal, Markdown',
    fields: () => texts('about', 'contact', 'policy', 'imprint', 'terms', 'returns'),
  },
  prices: {
    title: 'Prices and tax',
    about: 'Currency, format of prices, price filter',
    words: 'VAT, GST',
    fields: () => (
      <Card>
        <Row>
          <Select
            label="Currency"
            name="currencyDisplay"
            hint="It changes how prices are shown, not their amount."
            options={currencies()}
          />
          <Select
            label="Format of prices"
            name="locale"
            hint="Comma or point, and where the sign of the currency stands."
            options={locales()}
          />
          <Field
            label="Price bands"
            name="priceBands"
            hint="The lowest price of each band of the filter, separated by commas."
          />
        </Row>
        <Checkbox
          label="Show the lowest price of the 30 days before a sale next to the sale price (required in the EU)"
          name="showsLowestPrice"
        />
        <Elsewhere to={href('/dashboard/admin/taxes')}>Tax rates are under Taxes</Elsewhere>
      </Card>
    ),
  },
  delivery: {
    title: 'Delivery',
    about: 'Text about delivery, low stock',
    words: 'Shipping, Zones, Rates',
    fields: () => (
      <>
        {texts('delivery')}
        <Card title="Stock">
          <NumberField
            label="Low stock"
            name="lowStock"
            hint="Up to this quantity a product shows how many are left."
            required
          />
          <Elsewhere to={href('/dashboard/admin/shipping')}>
            Zones and rates are under Shipping
          </Elsewhere>
        </Card>
      </>
    ),
  },
  payments: {
    title: 'Payments',
    about: 'Keys of the payment provider, pay on delivery, bank transfer',
    words: 'Razorpay, Key id, Key secret, Webhook secret, Cash',
    fields: ({ zones }) => (
      <>
        {paymentMethod('pay_on_delivery', zones)}
        {paymentMethod('bank_transfer', zones)}
        <PasswordCard />
      </>
    ),
  },
  email: {
    title: 'E-mail',
    about: 'SMTP server and sender',
    words: 'SMTP server, Port, User name, Password, Sender, Test e-mail',
  },
  address: {
    title: 'Address',
    about: 'The public address of the shop',
    words: 'Public address, Domain, URL, HTTPS',
  },
}
