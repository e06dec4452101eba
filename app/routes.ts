import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** The site map: every URL pattern and its page. */
export default [
  layout('layouts/storefront-layout.tsx', [
    layout('products/web/home-layout.tsx', [index('products/web/home-page.tsx')]),
    route('product/:slug', 'products/web/product-page.tsx'),
    route('preview', 'products/web/preview-page.tsx'),
    route('categories', 'categories/web/categories-page.tsx'),
    route('category/:slug', 'products/web/category-page.tsx'),
    route('search', 'products/web/search-page.tsx'),
    route('cart', 'cart/web/cart-page.tsx'),

    route('first-run', 'setup/web/first-run-page.tsx'),
    route('register', 'accounts/web/register-page.tsx'),
    route('login', 'accounts/web/login-page.tsx'),
    route('forgot-password', 'accounts/web/forgot-password-page.tsx'),
    route('confirm-email', 'accounts/web/confirm-email-page.tsx'),
    route('reset-password', 'accounts/web/reset-password-page.tsx'),
    layout('layouts/user-area-layout.tsx', [
      route('dashboard/user', 'accounts/web/user-dashboard-page.tsx'),
      route('dashboard/user/profile', 'accounts/web/profile-page.tsx'),
      route('dashboard/user/orders', 'orders/web/orders-page.tsx'),
      route('dashboard/user/orders/:orderId/invoice', 'orders/web/invoice-page.tsx'),
      route('dashboard/user/orders/credit-note/:number', 'orders/web/credit-note-page.tsx'),
    ]),

    route('about', 'info/about-page.tsx'),
    route('contact', 'info/contact-page.tsx'),
    route('policy', 'info/policy-page.tsx'),
    route('legal/:page', 'info/legal-page.tsx'),
    route('*', 'info/not-found-page.tsx'),
  ]),

  layout('back-office/back-office-layout.tsx', [
    route('dashboard/admin', 'overview/web/admin/home-page.tsx'),
    route('dashboard/admin/create-category', 'categories/web/admin/manage-category-page.tsx'),
    route('dashboard/admin/attributes', 'products/web/admin/attributes-page.tsx'),
    route('dashboard/admin/create-product', 'products/web/admin/edit-product-page.tsx', {
      id: 'create-product',
    }),
    route('dashboard/admin/product/:slug', 'products/web/admin/edit-product-page.tsx'),
    route('dashboard/admin/products', 'products/web/admin/products-page.tsx'),
    route('dashboard/admin/orders', 'orders/web/admin/all-orders-page.tsx'),
    route('dashboard/admin/orders/:orderId', 'orders/web/admin/order-page.tsx'),
    route('dashboard/admin/orders/:orderId/invoice', 'orders/web/admin/order-invoice-page.tsx'),
    route('dashboard/admin/orders/:orderId/packing-slip', 'orders/web/admin/packing-slip-page.tsx'),
    route(
      'dashboard/admin/orders/credit-note/:number',
      'orders/web/admin/order-credit-note-page.tsx',
    ),
    route('dashboard/admin/coupons', 'coupons/web/admin/coupons-page.tsx'),
    route('dashboard/admin/create-coupon', 'coupons/web/admin/coupon-page.tsx', {
      id: 'create-coupon',
    }),
    route('dashboard/admin/coupon/:id', 'coupons/web/admin/coupon-page.tsx'),
    route('dashboard/admin/payments', 'payments/web/admin/payments-page.tsx'),
    route('dashboard/admin/create-order', 'orders/web/admin/create-order-page.tsx'),
    route('dashboard/admin/shipping', 'shipping/web/admin/shipping-page.tsx'),
    route('dashboard/admin/shipping/:zone', 'shipping/web/admin/zone-page.tsx'),
    route('dashboard/admin/taxes', 'taxes/web/admin/taxes-page.tsx'),
    route('dashboard/admin/settings', 'settings/web/admin/settings-index-page.tsx'),
    route('dashboard/admin/settings/:page', 'settings/web/admin/settings-page.tsx'),
    route('dashboard/admin/users', 'accounts/web/admin/users-page.tsx'),
    route('dashboard/admin/users/:userId', 'accounts/web/admin/user-page.tsx'),
    route('dashboard/admin/outbox', 'emails/web/admin/outbox-page.tsx'),
    route('dashboard/admin/email/:id', 'emails/web/admin/email-page.tsx'),
    route('dashboard/admin/history', 'audit/web/admin/history-page.tsx'),
    route('dashboard/admin/import-export', 'products/web/admin/import-export-page.tsx'),
  ]),
] satisfies RouteConfig
