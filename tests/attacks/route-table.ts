/**
 * Every route of the shop and its access level, declared a second time: a route that is missing
 * here, or that admits other callers, fails the tests of this folder. A new call or page needs a
 * row; its attacks are generated.
 */

/** The calls below /api/v1: access, verb, path. */
const CALLS = `
  public GET    /category/get-category
  public GET    /product/product-count
  public GET    /product/product-list/:page
  public GET    /product/products
  public POST   /product/product-filters
  public GET    /product/get-product
  public GET    /product/get-product/:slug
  public GET    /product/related-product/:productId/:categoryId
  public GET    /product/product-category/:slug
  public GET    /product/product-photo/:id
  public GET    /product/search/:keyword
  public GET    /product/search-results
  public GET    /product/suggest
  public GET    /seo/structured-data/:id
  public GET    /seo/product-picture/:id
  public GET    /settings
  public GET    /settings/slides
  public GET    /settings/texts/:page
  public GET    /settings/picture/:id
  public POST   /auth/register
  public POST   /auth/login
  public POST   /auth/forgot-password
  public POST   /auth/reset-link
  public POST   /auth/reset-password
  public POST   /auth/confirm-email
  public POST   /setup/first-admin
  public POST   /checkout/quote
  public POST   /payment/webhook/razorpay
  public POST   /payment/sandbox/pay
  user   GET    /auth/user-auth
  user   POST   /auth/logout
  user   PUT    /auth/profile
  user   GET    /auth/my-data
  user   POST   /auth/close-account
  user   GET    /auth/email-status
  user   POST   /auth/email-confirmation
  user   GET    /auth/orders
  user   GET    /auth/orders/:orderId/invoice
  user   POST   /product/razorpay/order
  user   POST   /product/razorpay/verify
  user   POST   /product/razorpay/cancel
  user   GET    /payment/refunds
  admin  GET    /auth/admin-auth
  admin  GET    /auth/all-users
  admin  PUT    /auth/user-role/:userId
  admin  DELETE /auth/user-sessions/:userId
  admin  DELETE /auth/user/:userId
  admin  GET    /auth/all-orders
  admin  PUT    /auth/order-status/:orderId
  admin  GET    /order/invoice/:orderId
  admin  GET    /order/figures
  admin  GET    /order/export
  admin  POST   /category/create-category
  admin  PUT    /category/update-category/:id
  admin  DELETE /category/delete-category/:id
  admin  GET    /coupon/coupons
  admin  GET    /coupon/coupon/:id
  admin  POST   /coupon/create-coupon
  admin  PUT    /coupon/update-coupon/:id
  admin  DELETE /coupon/delete-coupon/:id
  admin  GET    /coupon/export
  admin  POST   /product/create-product
  admin  PUT    /product/update-product/:id
  admin  DELETE /product/delete-product/:id
  admin  GET    /product/export
  admin  POST   /product/import
  admin  GET    /payment/payments
  admin  PUT    /payment/resolve/:id
  admin  POST   /payment/refund/:orderId
  admin  POST   /payment/give-up-refund/:orderId
  admin  GET    /shipping/zones
  admin  POST   /shipping/zone
  admin  PUT    /shipping/zone/:id
  admin  DELETE /shipping/zone/:id
  admin  GET    /tax
  admin  GET    /tax/classes
  admin  POST   /tax/classes
  admin  PUT    /tax/classes/:id
  admin  DELETE /tax/classes/:id
  admin  POST   /tax/rates
  admin  PUT    /tax/rates/:id
  admin  DELETE /tax/rates/:id
  admin  PUT    /tax/settings
  admin  GET    /settings/all
  admin  PUT    /settings/all
  admin  POST   /settings/picture
  admin  POST   /settings/preview
  admin  GET    /settings/export
  admin  GET    /email/emails
  admin  GET    /email/email/:id
  admin  POST   /email/retry/:id
  admin  POST   /email/send-parked
  admin  DELETE /email/drop-parked
  admin  GET    /setup/checklist
  admin  GET    /setup/findings
  admin  GET    /audit-log`

/** The pages; they are the same for every visitor. */
const PAGES = `
  /
  /product/:slug
  /categories
  /category/:slug
  /search
  /cart
  /first-run
  /register
  /login
  /forgot-password
  /confirm-email
  /reset-password
  /dashboard/user
  /dashboard/user/profile
  /dashboard/user/orders
  /dashboard/user/orders/:orderId/invoice
  /dashboard/admin
  /dashboard/admin/create-category
  /dashboard/admin/create-product
  /dashboard/admin/product/:slug
  /dashboard/admin/products
  /dashboard/admin/orders
  /dashboard/admin/orders/:orderId/invoice
  /dashboard/admin/coupons
  /dashboard/admin/create-coupon
  /dashboard/admin/coupon/:id
  /dashboard/admin/payments
  /dashboard/admin/shipping
  /dashboard/admin/shipping/:zone
  /dashboard/admin/taxes
  /dashboard/admin/settings
  /dashboard/admin/users
  /dashboard/admin/outbox
  /dashboard/admin/email/:id
  /dashboard/admin/history
  /dashboard/admin/import-export
  /about
  /contact
  /policy
  /*`

/** Other routes of the router, for GET only; `/api/*` answers 404 to every verb. */
const OTHERS = `
  /*
  /robots.txt
  /sitemap.xml
  /sitemap-pages.xml
  /sitemap-products.xml
  /feed.xml
  /product-feed.xml
  /manifest.webmanifest
  /share.png
  /favicon.svg
  /favicon.ico
  /icon-192.png
  /icon-512.png
  /icon-maskable-512.png
  /apple-touch-icon.png
  /healthz
  /readyz
  /api/v1/payment/sandbox/checkout.js`

const linesOf = (table: string) => table.trim().split(/\n\s*/)

/** One row each: `admin DELETE /path`. */
export const CALL_ROWS = linesOf(CALLS).map((line) => line.replace(/\s+/g, ' '))
export const PAGE_ROWS = linesOf(PAGES)

const READ_ONLY = ['GET', 'HEAD']

/** Whether a route of the router, such as `GET /healthz`, is declared here. */
export function isAllowedRoute(route: string): boolean {
  const [verb = '', url = ''] = route.split(' ')
  if (url === '/api/*') return true
  const isFile = /^\/(assets\/[\w.-]+|api\/docs(\/[\w./*-]*)?)$/.test(url)
  if (READ_ONLY.includes(verb) && (isFile || linesOf(OTHERS).includes(url))) return true
  const declared = verb === 'HEAD' ? 'GET' : verb
  return CALL_ROWS.some((row) => row.endsWith(` ${declared} ${url.replace('/api/v1', '')}`))
}
