import { data } from 'react-router'
import { settingsCalls } from '#app/settings/contract.ts'
import { legalTitleOf } from '#app/settings/legal-model.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { LEGAL_PAGES } from '#app/shared/contract/public-settings.ts'
import { href } from '#app/shared/model/href.ts'
import { NO_SUCH_ADDRESS } from '#app/shared/model/messages.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import type { Route } from './+types/legal-page.ts'

async function load({ context }: Pick<LoadArgs, 'context'>, wanted: string) {
  const page = LEGAL_PAGES.find((one) => one === wanted)
  if (!page) throw data({ message: NO_SUCH_ADDRESS }, { status: 404 })
  return { page, ...(await callOf({ context })(settingsCalls.getText, { params: { page } })) }
}

export const loader = ({ context, params }: Route.LoaderArgs) => load({ context }, params.page)
export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  load({ context }, params.page)

/** A legal text of the merchant. */
export default function LegalPage({ loaderData: { page, nodes, summary } }: Route.ComponentProps) {
  const title = legalTitleOf(page)
  return (
    <article className="mx-auto max-w-3xl px-4 py-16 lg:px-8">
      <PageHead title={title} description={summary} path={href('/legal/:page', { page })} />
      <h1 className="mb-8 text-4xl">{title}</h1>
      <div className="surface markdown wrap-anywhere space-y-3 p-8">
        <MarkdownText nodes={nodes} title={title} />
      </div>
    </article>
  )
}
