import { settingsCalls } from '#app/settings/contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { href } from '#app/shared/model/href.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import type { Route } from './+types/policy-page.ts'
import { Unwritten } from './info-parts.tsx'

const load = ({ context }: Pick<LoadArgs, 'context'>) =>
  callOf({ context })(settingsCalls.getText, { params: { page: 'policy' } })

export const loader = ({ context }: Route.LoaderArgs) => load({ context })
export const clientLoader = ({ context }: Route.ClientLoaderArgs) => load({ context })

/** The merchant's text (spec §2). */
export default function PolicyPage({ loaderData: { nodes } }: Route.ComponentProps) {
  return (
    <article className="mx-auto max-w-3xl px-4 py-16 lg:px-8">
      <PageHead
        title="Privacy Policy"
        description="What the shop knows of its customers, and what for."
        path={href('/policy')}
        hidden={nodes.length === 0}
      />
      <h1 className="mb-8 text-4xl">Privacy Policy</h1>
      <div className="surface markdown wrap-anywhere space-y-3 p-8">
        {nodes.length > 0 ? <MarkdownText nodes={nodes} title="Privacy Policy" /> : <Unwritten />}
      </div>
    </article>
  )
}
