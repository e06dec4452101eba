/** The back office's calls for the settings. */
import { type Static, Type } from 'typebox'
import { PAYMENT_METHODS } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, Id, Nullable, Text } from '../shared/contract/fields.ts'
import { DISPLAYED, Line, Picture } from '../shared/contract/public-settings.ts'
import { Slide, TextNodes } from './contract.ts'

/** The id of the settings in the audit log. */
export const SETTINGS_ID = '00000000-0000-0000-0000-000000000000'

const Markdown = Text({ maxLength: 100_000, description: 'Markdown' })

/** A way to pay without a provider. The rules of its values are in `model.ts`. */
export const PaymentMethodSettings = Type.Object({
  isOffered: Type.Boolean(),
  name: Line,
  instructions: Markdown,
  countries: Type.Array(Text({ maxLength: 2 }), {
    maxItems: 300,
    description: 'ISO 3166-1 codes of the countries where it is offered; empty: in all',
  }),
  maxTotal: Nullable(
    Type.Number({ description: 'Up to which total it is offered, in major units; null: no limit' }),
  ),
  shippingRates: Type.Array(Id, {
    maxItems: 200,
    description: 'The shipping rates with which it is offered; empty: with all',
  }),
  fee: Type.Number({ description: 'Added to the total, in major units' }),
  days: Type.Number({ description: 'How many days the order may stay unpaid' }),
})
export type PaymentMethodSettings = Static<typeof PaymentMethodSettings>

const [PAY_ON_DELIVERY, BANK_TRANSFER] = PAYMENT_METHODS

export const PaymentMethods = Type.Object({
  [PAY_ON_DELIVERY]: PaymentMethodSettings,
  [BANK_TRANSFER]: PaymentMethodSettings,
})
export type PaymentMethods = Static<typeof PaymentMethods>

/** Everything that the merchant may change: as it is sent, stored and answered. */
export const Settings = Type.Object({
  ...DISPLAYED,
  logo: Nullable(Line),
  // any numbers: `problemsOf` refuses them in words
  lowStock: Type.Number(),
  priceBands: Type.Array(Type.Number(), { maxItems: 100 }),
  slides: Type.Array(Slide, { maxItems: 100 }),
  about: Markdown,
  contact: Markdown,
  policy: Markdown,
  imprint: Markdown,
  terms: Markdown,
  returns: Markdown,
  delivery: Markdown,
  country: Text({ maxLength: 2, description: "The seller's, ISO 3166-1; empty: not set" }),
  mailsOrders: Type.Boolean({ description: 'Whether admins get an e-mail for each new order' }),
  showsLowestPrice: Type.Boolean({
    description: 'Whether a reduced price is shown with the lowest one of the thirty days before',
  }),
  paymentMethods: PaymentMethods,
})
export type Settings = Static<typeof Settings>

const Revision = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'As last read: a save on top of another one is refused',
})

/** The settings and their pictures as one file. */
export const SettingsFile = Type.Object({
  format: Type.Literal('haat-settings'),
  version: Type.Literal(1),
  settings: Settings,
  pictures: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 20 }),
      data: Type.String({ description: 'The picture in base64' }),
    }),
    { maxItems: 20 },
  ),
})
export type SettingsFile = Static<typeof SettingsFile>

export const settingsAdminCalls = {
  getAllSettings: endpoint({
    method: 'GET',
    path: '/settings/all',
    access: 'admin',
    summary: 'All settings with their revision',
    answer: Type.Object({ revision: Revision, settings: Settings }),
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/settings/all',
    access: 'admin',
    summary: 'Replaces the settings; 409 when they were saved since the revision',
    body: Type.Object({
      revision: Revision,
      settings: Settings,
      password: Type.Optional(
        Text({
          maxLength: 1000,
          description:
            "The caller's; needed where a way to pay is offered or not, or its name or instructions change",
        }),
      ),
    }),
    answer: Type.Object({ ...Done.properties, revision: Revision }),
  }),
  uploadPicture: endpoint({
    method: 'POST',
    path: '/settings/picture',
    access: 'admin',
    summary:
      'Stores a picture for the logo or a slide; one that no setting uses is deleted after a day',
    multipart: true,
    body: Type.Object({}),
    answer: Type.Object({ ...Done.properties, picture: Picture }),
    status: 201,
  }),
  previewText: endpoint({
    method: 'POST',
    path: '/settings/preview',
    access: 'admin',
    summary: 'Renders Markdown as the information pages do',
    body: Type.Object({ text: Markdown }),
    answer: Type.Object({ nodes: TextNodes }),
  }),
  exportSettings: endpoint({
    method: 'GET',
    path: '/settings/export',
    access: 'admin',
    summary: 'The settings and their pictures as one file, for another shop',
    answer: SettingsFile,
  }),
} satisfies Contract
