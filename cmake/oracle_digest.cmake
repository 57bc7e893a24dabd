# Run as a script: writes OUT from TEMPLATE, with the digest of the files that LIST names, a line
# each, relative to ROOT. The digest is that of what `sha256sum` prints about them.
file(STRINGS ${LIST} files)
set(lines "")
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} one)
  string(APPEND lines "${one}  ${file}\n")
endforeach()
string(SHA256 digest "${lines}")
configure_file(${TEMPLATE} ${OUT} @ONLY)
