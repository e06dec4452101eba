/** Pages and contracts read of an endpoint only what the build leaves in the browser. */
import { BROWSER_FIELDS } from '#app/shared/contract/endpoint.ts'
import { checkRules } from './check-rules.ts'
import { isContract, isIn, isTest } from './paths.ts'

const isBrowsers = (path: string) =>
  !isTest(path) &&
  (isContract(path) ||
    /^app\/\w+\/web\//.test(path) ||
    isIn(path, 'app/back-office/', 'app/layouts/', 'app/info/'))

/** A field of a declared call, such as `cartCalls.getCart.cache`. */
const FIELD = /\b\w*[cC]alls\.\w+\.(\w+)/g
const isLeft = (field: string | undefined) => BROWSER_FIELDS.some((name) => name === field)

checkRules('the browser', [
  {
    rule: 'reads of a declared call only BROWSER_FIELDS of shared/contract/endpoint.ts',
    breaks: ({ path, text }) =>
      isBrowsers(path)
        ? [...text.matchAll(FIELD)].flatMap(([all, field]) => (isLeft(field) ? [] : [all]))
        : [],
    planted: {
      'app/cart/web/cart-page.tsx': 'const isKnown = checkoutCalls.quoteCart.identifiesCaller',
      'app/setup/contract.ts': 'const { user } = accountCalls.register.answer.properties',
    },
  },
  {
    rule: 'has endpoints of the type BrowserEndpoint',
    breaks: ({ path, text }) =>
      isBrowsers(path) && !isContract(path)
        ? [
            ...text.matchAll(
              /import[^;\n]*\{[^}]*\bEndpoint\b[^}]*\} from '[^']*contract\/endpoint/g,
            ),
          ].map(([all]) => all)
        : [],
    planted: {
      'app/shared/web/call.ts':
        "import { API_PREFIX, type Endpoint } from '../contract/endpoint.ts'",
    },
  },
])
