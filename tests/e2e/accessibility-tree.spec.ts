/** Ten key states as a screen reader gets them: roles, names, states and their order. */
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { fillRegistration } from '#tests/support/account-forms.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart } from '#tests/support/cart.ts'
import { expect, test as journey, logIn } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const test = journey.extend<object, { kettle: Awaited<ReturnType<typeof createProduct>> }>({
  kettle: [
    async ({ browserName: _ }, use) => {
      const admin = await logIn(process.env.SHOP_ADDRESS ?? '', DEMO_ADMIN)
      await use(await createProduct(admin, named('Kettle')))
    },
    { scope: 'worker' },
  ],
})

test('the frame of every page, with the open menu of categories', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('button', { name: 'Categories' }).click()
  await expect(page.getByRole('banner')).toMatchAriaSnapshot(`
    - banner:
      - link "Haat":
        - /url: /
      - search:
        - searchbox "Search"
        - button "Search"
      - navigation "Main":
        - list:
          - listitem:
            - link "Home":
              - /url: /
          - listitem:
            - button "Categories"
            - list:
              - listitem:
                - link "All Categories":
                  - /url: /categories
              - listitem:
                - link "Kitchen & Pantry":
                  - /url: /category/kitchen-and-pantry
          - listitem:
            - link "Register":
              - /url: /register
            - link "Login":
              - /url: /login
          - listitem:
            - link "Cart 0 items":
              - /url: /cart
  `)
  await expect(page.getByRole('contentinfo')).toMatchAriaSnapshot(`
    - contentinfo:
      - paragraph: Copyright © Haat. All rights reserved.
      - navigation "About the shop":
        - link "About":
          - /url: /about
        - link "Contact":
          - /url: /contact
        - link "Policy":
          - /url: /policy
      - checkbox "Keep messages on screen"
      - text: Keep messages on screen Theme
      - combobox "Theme":
        - option "System" [selected]
        - option "Light"
        - option "Dark"
  `)
})

test('the filters of the home page', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('group', { name: 'Filter By Price' })).toMatchAriaSnapshot(`
    - group "Filter By Price":
      - radio /\\$0 to \\d+/
      - text: /\\$0 to \\d+/
      - radio /\\$\\d+ to \\d+/
      - text: /\\$\\d+ to \\d+/
      - radio /\\$\\d+ to \\d+/
      - text: /\\$\\d+ to \\d+/
      - radio /\\$\\d+ to \\d+/
      - text: /\\$\\d+ to \\d+/
      - radio /\\$\\d+ to \\d+/
      - text: /\\$\\d+ to \\d+/
      - radio /\\$\\d+ or more/
      - text: /\\$\\d+ or more/
  `)
})

test('a product', async ({ page, kettle }) => {
  await page.goto(`/product/${kettle.slug}`)
  await expect(page.getByRole('article').first()).toMatchAriaSnapshot(`
    - article:
      - list "Photos":
        - listitem:
          - img /Kettle [0-9a-f]{8}/
      - link /Cups [0-9a-f]{8}/
      - heading /Kettle [0-9a-f]{8}/ [level=1]
      - paragraph: /\\$\\d+\\.\\d+/
      - paragraph: Holds tea.
      - paragraph: In stock
      - text: Quantity
      - spinbutton "Quantity": "1"
      - button "ADD TO CART"
  `)
})

test('a search without results', async ({ page }) => {
  await page.goto('/search?q=zzzqqq')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Search Results" [level=1]
      - paragraph: No Products Found
      - link "All Categories":
        - /url: /categories
      - complementary
  `)
})

test('the cart of a guest', async ({ page, kettle }) => {
  await openCart(page, [kettle, kettle])
  await expect(page.getByRole('list', { name: 'Items' })).toMatchAriaSnapshot(`
    - list "Items":
      - listitem:
        - link /Kettle [0-9a-f]{8}/
        - paragraph: Holds tea.
        - paragraph: /\\$\\d+\\.\\d+ · \\$\\d+\\.\\d+ in total/
        - status
        - group /Kettle [0-9a-f]{8}/:
          - button "One less": −
          - status "Quantity": "2"
          - button "One more": +
        - button "Remove"
  `)
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Summary' })).toMatchAriaSnapshot(`
    - complementary "Summary":
      - heading "Cart Summary" [level=2]
      - text: Coupon code
      - textbox "Coupon code"
      - button "Apply"
      - status
      - status
      - paragraph:
        - text: Total
        - strong: /\\$\\d+\\.\\d+/
      - button "Please Login to Checkout"
  `)
})

test('a registration that is refused', async ({ page, customer }) => {
  await page.goto('/register')
  await fillRegistration(page, customer.email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "REGISTER FORM" [level=1]
      - text: Name
      - textbox "Name": Asha Rao
      - text: Email
      - textbox "Email" [invalid]: /[0-9a-fA-F-]+@example\\.com/
      - paragraph: This email is already registered. Please log in.
      - text: Password
      - textbox "Password": correct-horse
      - paragraph: At least 8 characters.
      - text: Phone
      - textbox "Phone": /\\d+ \\d+/
      - text: Address
      - textbox "Address": 1 Market Lane, Pune
      - text: Answer
      - textbox "Answer": cricket
      - paragraph: What is your favourite sport? It lets you reset a forgotten password.
      - button "REGISTER"
      - paragraph:
        - text: Already have an account?
        - link "Log in":
          - /url: /login
  `)
})

test('the refusal of a guest', async ({ page }) => {
  await page.goto('/dashboard/user')
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "This page is not open to you" [level=1]
      - link "Continue now":
        - /url: /login
  `)
})

test('an order', async ({ page, signedIn, kettle }) => {
  await buy(signedIn, [kettle, kettle])
  await page.goto('/dashboard/user/orders')
  await expect(page.getByRole('article')).toMatchAriaSnapshot(`
    - article /Order \\d+/:
      - heading /Order \\d+/ [level=2]
      - table:
        - rowgroup:
          - row "# Status Buyer Date Payment Quantity":
            - columnheader "#"
            - columnheader "Status"
            - columnheader "Buyer"
            - columnheader "Date"
            - columnheader "Payment"
            - columnheader "Quantity"
        - rowgroup:
          - row /1 Not Process Asha Rao .+ Success 2/:
            - cell "1"
            - cell "Not Process"
            - cell "Asha Rao"
            - cell:
              - time
            - cell "Success"
            - cell "2"
      - list:
        - listitem:
          - link /Kettle [0-9a-f]{8}/
          - paragraph: Holds tea.
          - paragraph: /2 × \\$\\d+\\.\\d+/
      - region "Delivery":
        - paragraph: Delivery to Asha Rao, 1 Market Lane, Pune
        - paragraph: /[0-9a-fA-F-]+@example\\.com · \\d+ \\d+/
      - text: "Test: no money was taken"
      - paragraph:
        - link /Invoice of order \\d+/
      - paragraph:
        - text: Total
        - strong: /\\$\\d+\\.\\d+/
  `)
})

test('the form of a product', async ({ page, admin: _ }) => {
  await page.goto('/dashboard/admin/create-product')
  await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toBeEditable()
  await expect(page.getByRole('main').locator('form')).toMatchAriaSnapshot(`
    - region "Details":
      - heading "Details" [level=2]
      - text: Name
      - textbox "Name"
      - text: Description
      - textbox "Description"
      - group: Preview of the description
      - text: Category
      - group:
        - combobox "Category"
        - 'button "Show all: Category"'
    - region "Pricing":
      - heading "Pricing" [level=2]
      - text: Price $
      - textbox "Price"
      - text: Compare at $
      - textbox "Compare at"
    - region "Stock":
      - heading "Stock" [level=2]
      - text: Quantity
      - spinbutton "Quantity"
      - text: SKU
      - textbox "SKU"
      - textbox "Barcode"
    - region "Picture":
      - heading "Picture" [level=2]
      - paragraph: Choose a photo or drop it here
      - 'button "Photo: Choose a photo or drop it here"'
      - status: /JPEG, PNG, WebP, AVIF or GIF, up to \\d+ MB\\./
    - region "Delivery and tax":
      - heading "Delivery and tax" [level=2]
      - text: Shipping
      - combobox "Shipping":
        - option "No"
        - option "Yes" [selected]
      - paragraph: /has to be delivered/
      - text: Weight in grams
      - spinbutton "Weight in grams"
    - region "Options":
      - heading "Options" [level=2]
      - text: New option
      - textbox "New option"
      - text: Values, separated by commas
      - textbox "Values, separated by commas"
    - button "CREATE PRODUCT"
    - button "Save and add another"
  `)
})

test('the question before a product is deleted', async ({ page, admin: _, kettle }) => {
  await page.goto(`/dashboard/admin/product/${kettle.slug}`)
  await page.getByRole('button', { name: 'DELETE PRODUCT' }).click()
  await page.getByLabel('Type anything to continue').fill('yes')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog /Delete Kettle [0-9a-f]{8}./:
      - heading /Delete Kettle [0-9a-f]{8}./ [level=2]
      - text: /“Kettle [0-9a-f]{8}” is deleted from the shop\\. This cannot be undone\\. Past orders keep their copy of it\\./
      - button "Cancel"
      - button "Delete product"
      - status
  `)
})
