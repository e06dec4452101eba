/** It must show the present theme also where it is rendered later than the first page. */
const showPresent = (element: HTMLSelectElement | null) => {
  if (element) element.value = document.documentElement.dataset.theme ?? 'system'
}

/**
 * Chooses the theme: that of the operating system, light or dark. The script in the head of the page
 * hears it by its name, and applies the choice.
 */
export const ThemeSwitch = () => (
  <label className="needs-script flex items-center gap-2 text-sm">
    Theme
    <select
      ref={showPresent}
      name="theme"
      autoComplete="off"
      className="input w-auto appearance-auto"
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  </label>
)
