/** Published classes of attacks on shops, and the tests of each. */

/** Classes that this shop cannot have, with the reason. */
export const NOT_APPLICABLE: Record<number, string> = {
  25: 'Outbound webhooks or apps re-registered: the shop calls nobody but the payment provider.',
}

/** Classes that other tests cover completely. */
export const ELSEWHERE: Record<number, string[]> = {
  10: [
    'tests/orders/schedules.test.ts',
    'tests/orders/interleavings.test.ts',
    'app/accounts/server/users.test.ts',
    'app/payments/server/networks.test.ts',
    'app/payments/server/owed/owed-of-networks.test.ts',
  ],
  15: ['app/accounts/server/new-password.test.ts', 'app/accounts/server/security-answer.test.ts'],
  27: ['app/shared/server/limits/limits.test.ts'],
  29: ['tests/operation/demo.test.ts', 'tests/payments/test-payments.test.ts'],
  31: ['app/settings/server/connections/tests-of-connections.test.ts'],
  32: ['app/products/server/facets/facets.test.ts'],
}

/** All other classes; a test file of this folder names each as `class 1`. */
export const CLASSES: Record<number, string> = {
  1: 'SQL through a parameter, header or cookie',
  2: 'SQL through stored text',
  3: 'Secret column in an answer',
  4: 'Forged, nested and oversize sessions',
  5: 'Sessions that survive a reset, a role change or the end of the account',
  6: "Somebody else's id inside one's own request",
  7: 'Rows of nobody, read by nobody',
  8: 'A verb whose sibling is guarded',
  9: 'Filters that widen a list',
  10: 'Races for the last piece',
  11: 'Negative, fractional and huge numbers',
  12: 'Webhook without proof',
  13: 'Genuine webhook of another amount, currency or order',
  14: 'Routes that should not be there, and other spellings of those that should',
  15: 'Whether an account exists',
  16: 'One request, much work',
  17: 'Script in the text of staff',
  18: 'Script in the text of the public, shown in the back office',
  19: 'Requests of other sites, document requests and redirects',
  20: 'Cache poisoned by a header',
  21: 'Validation skipped by the media type',
  22: 'Upload that is also code',
  23: 'The server fetches an address that a request names',
  24: 'Rank: who may do what to whom',
  26: 'Object deserialiser in the rendering',
  27: 'Card testing',
  28: 'Packages, and formulas in CSV',
  29: 'Published credentials and test payments in a real shop',
  30: 'Secrets in the environment of a process that reads what strangers send',
  31: 'Ports of the network, told apart by the test of an address',
  32: 'Many requests of one client whose answers no cache keeps',
}
