// Sets the colours before the first paint, so that nothing flashes. web/platform/theme.ts keeps them right afterwards
// and owns the choice; this file only reads it, under the key that web/platform/storage.ts names.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('theme')
  } catch {
    // Blocked storage: follow the device.
  }
  var isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
