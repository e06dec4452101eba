import { PageHead } from '#app/shared/web/page-head.tsx'
import { ShopIllustration } from './shop-illustration.tsx'

/** Contact data (spec §2), to be replaced by the merchant. */
export default function ContactPage() {
  return (
    <article className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-16 md:grid-cols-2 lg:gap-16 lg:px-8">
      <PageHead
        title="Contact us"
        description="Any question about a product? Call us anytime, 24x7."
        path="/contact"
      />
      <ShopIllustration />
      <div className="space-y-6">
        <h1 className="text-4xl sm:text-5xl">CONTACT US</h1>
        <p className="text-lg leading-relaxed">
          Any question about a product? Feel free to call anytime. We are available 24x7.
        </p>
        <dl className="surface grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 p-6">
          <dt className="text-base-content/75">Support</dt>
          <dd>
            <a className="link" href="mailto:help@example.com">
              help@example.com
            </a>
          </dd>
          <dt className="text-base-content/75">Phone</dt>
          <dd>
            <a className="link" href="tel:+15550100">
              555-0100
            </a>
          </dd>
          <dt className="text-base-content/75">Toll-free</dt>
          <dd>
            <a className="link" href="tel:+18005550199">
              1800-555-0199
            </a>
          </dd>
        </dl>
      </div>
    </article>
  )
}
