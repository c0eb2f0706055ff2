/** A PDF of one empty page, padded in its middle to a size. */
export function pdfOf(bytes = 0, title = ''): Buffer {
  const head = `%PDF-1.7
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>> endobj
%${title}`
  const tail = `
trailer <</Root 1 0 R /Size 4>>
startxref
0
%%EOF
`
  const padding = Math.max(0, bytes - Buffer.byteLength(head + tail))
  return Buffer.concat([Buffer.from(head), Buffer.alloc(padding, 'x'), Buffer.from(tail)])
}
