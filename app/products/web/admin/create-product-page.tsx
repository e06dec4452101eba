import { PageHead } from '#app/shared/web/head.tsx'
import { callContext } from '#app/shared/web/load.ts'
import type { Route } from './+types/create-product-page.ts'
import { loadChoices, ProductEditor } from './product-editor.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadChoices(context.get(callContext))

/** Creates a product (spec §2). The server validates it. */
export default function CreateProductPage({ loaderData }: Route.ComponentProps) {
  return (
    <section className="space-y-6">
      <PageHead title="Create Product" hidden />
      <h1 className="text-3xl">Create Product</h1>
      <ProductEditor choices={loaderData} />
    </section>
  )
}
