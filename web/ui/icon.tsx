import { createElement, type ReactElement, type SVGProps } from 'react'

export type IconProps = SVGProps<SVGSVGElement> & {
  /** Width and height in CSS pixels; 24 where it is left out. */
  readonly size?: number
}
export type IconComponent = (props: IconProps) => ReactElement

/** Makes an icon of shapes that lie in a square of 24 units: lines in the colour of the text, 2 units wide. */
export const icon =
  (...shapes: readonly ReactElement[]): IconComponent =>
  ({ size = 24, ...props }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...shapes,
    )
