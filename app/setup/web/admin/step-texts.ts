import type { Step, StepName } from '#app/setup/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'

const settings = (page: string) => href('/dashboard/admin/settings/:page', { page })

type StepText = {
  title: string
  text: string | ((step: Step) => string)
  /** The pages where it is done, by the labels of their links. */
  links: Record<string, string>
}

export const STEP_TEXTS: Record<StepName, StepText> = {
  brand: {
    title: 'Name and logo',
    text: 'Give the shop a name of its own, and upload a logo.',
    links: { 'Name and tagline': settings('general'), 'Logo and colours': settings('brand') },
  },
  contact: {
    title: 'Contact data',
    text: 'Tell customers how to reach you: an e-mail address or a phone number. The page Contact shows them.',
    links: { 'Enter contact data': settings('general') },
  },
  product: {
    title: 'First product',
    text: 'Create a category and a product in it, or import products from a CSV file.',
    links: {
      'Create a category': href('/dashboard/admin/create-category'),
      'Create a product': href('/dashboard/admin/create-product'),
      'Import products': href('/dashboard/admin/import-export'),
    },
  },
  slides: {
    title: 'Home page',
    text: 'Show your best products, or what is new, in large pictures above the products of the home page.',
    links: { 'Add slides': settings('home') },
  },
  texts: {
    title: 'About, Contact and Policy',
    text: 'Tell who you are and how you handle the data of customers. Until then these pages say that they are being written.',
    links: { 'Write these pages': settings('texts') },
  },
  payments: {
    title: 'Payments',
    text: 'Enter the keys of your payment provider, or offer payment on delivery or by bank transfer. Test payments of the environment (PAYMENTS=sandbox) are removed first.',
    links: { 'Set up payments': settings('payments') },
  },
  email: {
    title: 'E-mail',
    text: 'Send confirmations to customers through the SMTP server of your e-mail provider. Links in them lead to the address of the shop, which is set first.',
    links: { 'Set up e-mail': settings('email') },
  },
  legal: {
    title: 'Country and legal texts',
    text: ({ missing = [] }) =>
      missing.length > 0
        ? `The law of your country asks for these texts: ${missing.join(', ')}.`
        : 'Choose the country of the shop: its law decides which texts customers have to find.',
    links: { 'Choose the country': settings('general'), 'Write the texts': settings('texts') },
  },
  address: {
    title: 'Public address',
    text: 'Let customers reach the shop by HTTPS, through a reverse proxy that TRUST_PROXY of the environment names, and enter its address. docs/operations.md describes the proxy.',
    links: { 'Set the address': settings('address') },
  },
}
