/** Sentences of the specification are titles of tests; the others are listed here. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type VisitorObject } from 'vite'
import { expect, it } from 'vitest'
import { sentencesOf, specificationText } from '#tests/support/specification.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The other sentences, and why nothing of them can be seen. */
const OTHERS: Record<string, string> = {
  'Where the form sits in the frame is not shown.': 'says what is left open',
  'Route | Purpose': 'the head of a table',
  'Writing the cart back to storage after a change is not shown.': 'says what is left open',
  'Situation | Message': 'the head of a table',
  'Success messages:': 'the head of a list',
  'Page size of the product list and search results: not shown (the server decides).':
    'says what is left open',
  'Request timeout: none (0).': 'decided otherwise, in the table of the specification',
}

/** Sentences that can be seen, and whose tests are to be written. This list only gets shorter. */
const UNTESTED = [
  'Top navbar, main area with a toast area, footer.',
  'Navbar: brand link to /; Home (/); a Categories dropdown with All Categories (/categories) and one entry per category linking to /category/{slug}.',
  'Logged out: Register (/register) and Login (/login).',
  'Cart (/cart) with a badge showing the number of cart items; zero is shown as 0.',
  'Footer: copyright line, links to /about, /contact, /policy.',
  'A search form (text input, placeholder Search, a Search submit button) is part of the shop.',
  'Submitting it fetches results, stores them with the keyword and navigates to /search.',
  '/ | Home',
  '/product/{slug} | Product details with related products',
  '/categories | All categories as coloured tiles linking to /category/{slug}; colours cycle through 10 styles',
  '/category/{slug} | Products of a category, with a count',
  "/search | Search results: 'No Products Found' or 'Found N'",
  '/register, /login, /forgot-password | Account pages',
  '/about, /contact, /policy | Information pages',
  "any other path | Not-found page: 404, 'Oops ! Page Not Found', Go Back link to /",
  'Left filter panel: Filter By Category (checkboxes), Filter By Price (radio group), a Reset Filters button that reloads the page.',
  'Right side: a 3-slide image carousel with previous and next controls; heading All Products; a grid of product cards.',
  'Each card: photo (height 200), name, first 40 characters of the description followed by dots, price with a dollar sign, a Details button to /product/{slug}, an Add to Cart button.',
  'A Load More button is shown while fewer products are loaded than the total.',
  'A spinner shows while loading.',
  'Photo (height 400), name, description, price, category, ADD TO CART.',
  "Similar Products list: each with More Details and Add to Cart; or 'No Similar Products Found'.",
  'Descriptions are cut at 30 characters.',
  'Contact: image, heading CONTACT US, text saying to call anytime 24x7, a support address {email}, a phone {phone}, and a toll-free number (all placeholder contact data).',
  'About: image plus filler text.',
  "Policy: placeholder lines 'add privacy policy'.",
  'Register: form titled REGISTER FORM.',
  'Forgot password: form titled RESET PASSWORD.',
  'Home listing: the initial load fetches categories, the total count and page 1.',
  'When any category or price filter is chosen, the list is replaced by the filter result.',
  'When all filters are cleared, the plain list is reloaded.',
  'Raising the page number above 1 appends the next page.',
  'Search: submit fetches results, stores them with the keyword, moves to /search.',
  'Toasts: success lasts 2 s, error and blank 4 s, at most 20 kept.',
  'Toast messages are shown with their original spelling.',
  "When a response reports failure, the server's message is shown as an error toast.",
  "Register, login, forgot password failure | 'Something went wrong'",
  "Create category failure | 'somthing went wrong in input form'",
  "Category load failure | 'Something wwent wrong in getting catgeory'",
  "Category update or delete failure | 'Somtihing went wrong'",
  "Create product failure | 'something went wrong'",
  "Product list load failure | 'Someething Went Wrong'",
  "Payment amount not above 0 | 'Cart is empty or amount is invalid.'",
  "Payment verification failed | 'Payment verification failed'",
  "Other payment failure | 'Something went wrong in payment'",
  'Logged only, with nothing shown to the user: search failure, home listing errors (loading flags are reset), order load failure, product load failure in the admin views, and category-loading failure on the search form.',
  'API prefix: /api/v1.',
  'Price range top: 9999.',
  'Description cut: 40 characters on home cards, 30 in orders, search, category and related lists, 50 in the cart, 80 in the admin grid.',
  'Photo height: 200 in lists, 400 on detail.',
  'Toasts: success 2 s, error 4 s, at most 20.',
  'Carousel: 3 slides.',
  'Category tile colour styles: 10.',
]

type Call = Parameters<NonNullable<VisitorObject['CallExpression']>>[0]

/** The sentences in the titles of a file: the texts that `says` gets. */
function titledIn(path: string): string[] {
  const found: string[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: given }: Call) => {
      if (callee.type !== 'Identifier' || callee.name !== 'says') return
      for (const one of given)
        if (one.type === 'Literal' && typeof one.value === 'string') found.push(one.value)
    },
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return found
}

const titled = globSync('tests/e2e/specification*.spec.ts', { cwd: ROOT }).flatMap((path) =>
  titledIn(`${ROOT}${path}`),
)

it('knows each sentence once: by a test, as one that cannot be seen, or as untested yet', () => {
  expect([...titled, ...UNTESTED, ...Object.keys(OTHERS)].toSorted()).toEqual(
    sentencesOf(specificationText()).toSorted(),
  )
})

it('takes lists and paragraphs apart by sentences, and tables by rows', () => {
  const text =
    '## 1. A\nNo.\n## 2. B\n### C\n- One. Two {x}: a\n\n| p | q |\n|---|---|\n| r | s |\n'
  expect(sentencesOf(text)).toEqual(['One.', 'Two {x}: a', 'p | q', 'r | s'])
})
