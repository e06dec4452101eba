import { settingsCalls } from '#app/settings/contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { href } from '#app/shared/model/href.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import type { Route } from './+types/about-page.ts'
import { ShopIllustration, Unwritten } from './info-parts.tsx'

const load = ({ context }: Pick<LoadArgs, 'context'>) =>
  callOf({ context })(settingsCalls.getText, { params: { page: 'about' } })

export const loader = ({ context }: Route.LoaderArgs) => load({ context })
export const clientLoader = ({ context }: Route.ClientLoaderArgs) => load({ context })

/** A picture and the merchant's text (spec §2). */
export default function AboutPage({ loaderData: { nodes, summary } }: Route.ComponentProps) {
  const isWritten = nodes.length > 0
  return (
    <article className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-16 md:grid-cols-2 lg:gap-16 lg:px-8">
      <PageHead title="About us" description={summary} path={href('/about')} hidden={!isWritten} />
      <ShopIllustration />
      <div className="markdown wrap-anywhere space-y-5 text-lg leading-relaxed">
        <h1 className="text-4xl sm:text-5xl">About us</h1>
        {isWritten ? <MarkdownText nodes={nodes} title="About us" /> : <Unwritten />}
      </div>
    </article>
  )
}
