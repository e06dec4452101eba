import { BackOfficePage } from '#app/back-office/page.tsx'
import { callContext } from '#app/shared/web/load.ts'
import type { Route } from './+types/create-product-page.ts'
import { loadChoices, ProductEditor } from './product-editor.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadChoices(context.get(callContext))

/** Creates a product (spec §2). The server validates it. */
export default function CreateProductPage({ loaderData }: Route.ComponentProps) {
  return (
    <BackOfficePage title="Create Product">
      <ProductEditor choices={loaderData} />
    </BackOfficePage>
  )
}
