// Applies the stored theme to the API reference before the first paint.
try {
  const theme = localStorage.getItem('assay.theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {}
