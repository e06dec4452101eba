import { use } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import type { Route } from './+types/root.ts'
import figtree from './fonts/figtree.woff2?url'
import fraunces from './fonts/fraunces.woff2?url'
import { signedInScript } from './layouts/signed-in-script.ts'
import { settingsCalls } from './settings/contract.ts'
import type { PublicSettings } from './shared/contract/public-settings.ts'
import { ErrorPage } from './shared/web/failure.tsx'
import { IconLinks } from './shared/web/head.tsx'
import {
  earlyTapsScript,
  ScriptMark,
  themeScript,
  useEarlyTaps,
} from './shared/web/head-scripts.ts'
import { callContext } from './shared/web/load.ts'
import {
  LinkNavigation,
  NavigationProgress,
  useFocusOnNavigation,
} from './shared/web/navigation.tsx'
import { shopContext, useShop } from './shared/web/shop.ts'

const font = (href: string) => ({
  rel: 'preload' as const,
  href,
  as: 'font' as const,
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
})

export const links: Route.LinksFunction = () => [font(figtree), font(fraunces)]

/** Without the database, pages have the settings with which the shop started. */
export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const settings = await context
    .get(callContext)(settingsCalls.getSettings)
    .catch(() => null)
  return { ...shop, ...settings }
}

export const shouldRevalidate = () => false

/** Its text is needed on the server only. */
const HEAD_SCRIPT = import.meta.env.SSR
  ? [themeScript, signedInScript, earlyTapsScript]
      .map((script) => `(${script})();`.replace(/\n\s+/g, '\n'))
      .join('\n')
  : ''

export function Layout({ children }: { children: React.ReactNode }) {
  useEarlyTaps()
  const { scheme, style } = useShop()
  const isFixed = scheme !== 'system'
  return (
    // the theme's script changes data-theme before hydration, so React leaves it alone in browsers
    <html
      lang="en"
      data-scheme={scheme}
      data-theme={isFixed && import.meta.env.SSR ? scheme : undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {/* the browser has run it, and its text need not be downloaded twice */}
        <script nonce={use(ScriptMark)} suppressHydrationWarning>
          {HEAD_SCRIPT}
        </script>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <ThemeColor theme="light" color="#fffdf8" scheme={scheme} />
        <ThemeColor theme="dark" color="#2a211b" scheme={scheme} />
        <Meta />
        <Links />
        {import.meta.env.SSR && <IconLinks />}
        {style && <style>{style}</style>}
      </head>
      <body className="font-sans antialiased">
        {children}
        <LinkNavigation />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

type ThemeColorProps = { theme: 'light' | 'dark'; color: string; scheme: PublicSettings['scheme'] }

/** The colour of the browser's own bars in a theme. */
function ThemeColor({ theme, color, scheme }: ThemeColorProps) {
  const fixed = scheme === theme ? 'all' : 'not all'
  const media = scheme === 'system' ? `(prefers-color-scheme: ${theme})` : fixed
  return <meta name="theme-color" content={color} media={media} data-scheme={theme} />
}

export default function App() {
  useFocusOnNavigation()
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  )
}

/** The error page outside of every layout; inside one, the layout shows the same page. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
