import { useShop } from '../use-shop.ts'

/** The icons and the manifest. Rendered on the server only: browsers read them once. */
export function IconLinks() {
  const { logo } = useShop()
  return (
    <>
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      {/* the others are made from the logo */}
      {!logo && <link rel="icon" href="/favicon.svg" type="image/svg+xml" />}
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
    </>
  )
}
