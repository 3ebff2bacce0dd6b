# shellcheck shell=bash disable=SC2154
