import { useShop } from '#app/shared/web/shop.ts'

/** A banner on every page while payments are tests. */
export function PaymentBanner() {
  const { payments } = useShop()
  if (payments !== 'test') return null
  return (
    <aside
      aria-label="Test payments"
      className="bg-warning px-4 py-1 text-center text-sm text-warning-content print:hidden"
    >
      Test payments: no money is taken.
    </aside>
  )
}
